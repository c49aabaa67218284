package dev.semel.spring;

import dev.semel.core.key.Guarantee;
import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;

/**
 * Where calls of methods with {@link Once} are caught. There are two: the one of joined methods belongs inside the
 * transaction, which it joins; the one of the others outside, so that an outcome is recorded only when the effect is
 * committed. {@link OnceBeanCheck} makes certain that each stands where it belongs.
 */
final class OnceAdvisor extends AbstractPointcutAdvisor {
    private static final long serialVersionUID = 1;

    private final boolean joined;
    private final transient Advice advice;

    OnceAdvisor(boolean joined, Advice advice) {
        this.joined = joined;
        this.advice = advice;
        setOrder(joined ? Ordered.LOWEST_PRECEDENCE : Ordered.LOWEST_PRECEDENCE - 1);
    }

    boolean isJoined() {
        return joined;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    @Override
    public Pointcut getPointcut() {
        return new StaticMethodMatcherPointcut() {
            @Override
            public boolean matches(Method method, Class<?> target) {
                Once once = OnceMethods.annotation(method, target);
                return once != null
                        && (once.guarantee() == Guarantee.JOINED) == joined
                        && !OnceMethods.isHandler(method);
            }
        };
    }
}
