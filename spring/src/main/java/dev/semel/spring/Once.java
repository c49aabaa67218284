package dev.semel.spring;

import dev.semel.core.key.Guarantee;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that takes effect once per key, however often it is called.
 *
 * <p>On a method of any bean, {@link #key} names the operation and the arguments are the request: the same key with other
 * arguments is refused. What the method returns is recorded, as JSON, and given to every later call. A parameter of type
 * {@link dev.semel.core.Attempt} gets the attempt, whatever the caller passes for it.
 *
 * <p>On a handler method of a controller, the key comes from the request header {@code Idempotency-Key}, and the whole
 * response is recorded.
 *
 * <p>The method is reached through a proxy: a call from another method of the same object is not seen.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Once {

    /** The key, as a SpEL expression over the parameters, such as {@code #order.id}. Not for controllers. */
    String key() default "";

    /**
     * What keys are kept under: the same key means another thing in another operation. If empty, {@code Class.method}; for a
     * controller its route, such as {@code POST /charges}.
     */
    String operation() default "";

    /** What holds after a crash or a lost answer. */
    Guarantee guarantee() default Guarantee.AT_MOST_ONCE;

    /**
     * For controllers: whether a request without a key is refused; if not, it passes unguarded. A key expression must give
     * a key in any case.
     */
    boolean required() default true;

    /** How long an outcome is given to duplicates, such as {@code 7d}; {@code semel.retention} if empty. */
    String retention() default "";

    /** How long this process may be silent before it counts as dead, such as {@code 30s}; {@code semel.lease} if empty. */
    String lease() default "";

    /** How long a duplicate waits for the attempt in flight, such as {@code 5s}; {@code semel.wait-for} if empty. */
    String waitFor() default "";
}
