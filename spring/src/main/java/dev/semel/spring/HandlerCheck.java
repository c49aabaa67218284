package dev.semel.spring;

import dev.semel.core.key.Guarantee;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** What {@link Once} cannot mean on a handler method of a controller. */
final class HandlerCheck {
    /** Answers that are made after the handler method has returned, on another thread. */
    private static final List<String> LATER = List.of(
            "java.util.concurrent.CompletionStage",
            "org.reactivestreams.Publisher",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final List<String> PARTS =
            List.of("org.springframework.web.multipart.MultipartFile", "jakarta.servlet.http.Part");

    private HandlerCheck() {}

    /** @throws OnceMisuseException when what is said of this handler cannot be kept */
    static void refuse(Method method, Class<?> target, Once once) {
        if (!once.key().isEmpty())
            throw new OnceMisuseException(
                    method, "the key of a request comes from its header Idempotency-Key. Remove the key expression.");
        if (once.guarantee() == Guarantee.JOINED)
            throw new OnceMisuseException(
                    method,
                    "a response is recorded after the transaction of its controller has ended, so it cannot join it."
                            + " Put @Once(guarantee = JOINED) on a method of a bean that the controller calls.");
        String later = later(ResolvableType.forMethodReturnType(method, target));
        if (later != null)
            throw new OnceMisuseException(
                    method,
                    "it returns " + later + ", which answers after the method has returned, and so cannot be recorded."
                            + " Return the answer itself.");
        for (Class<?> parameter : method.getParameterTypes())
            for (String part : PARTS)
                if (isA(parameter.isArray() ? parameter.componentType() : parameter, part))
                    throw new OnceMisuseException(
                            method, "it takes parts of a form, which a request with a key cannot have.");
    }

    private static @Nullable String later(ResolvableType returned) {
        Class<?> type = returned.resolve(Object.class);
        if (Future.class.isAssignableFrom(type) || Callable.class.isAssignableFrom(type)) return type.getSimpleName();
        for (String each : LATER) if (isA(type, each)) return type.getSimpleName();
        boolean wraps = type.getName().equals("org.springframework.http.ResponseEntity");
        return wraps && returned.hasGenerics() ? later(returned.getGeneric(0)) : null;
    }

    private static boolean isA(@Nullable Class<?> type, String name) {
        if (type == null || !ClassUtils.isPresent(name, type.getClassLoader())) return false;
        return ClassUtils.resolveClassName(name, type.getClassLoader()).isAssignableFrom(type);
    }
}
