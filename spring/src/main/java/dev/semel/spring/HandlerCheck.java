package dev.semel.spring;

import dev.semel.core.key.Guarantee;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** What {@link Once} cannot mean on a handler method of a controller. */
final class HandlerCheck {
    /** Answers that are made after the handler method has returned, on another thread. */
    private static final List<String> LATER = List.of(
            "java.util.concurrent.CompletionStage",
            "org.reactivestreams.Publisher",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Observable",
            "io.reactivex.rxjava3.core.Completable",
            "io.smallrye.mutiny.Uni",
            "kotlinx.coroutines.flow.Flow",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

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
        for (int i = 0; i < method.getParameterCount(); i++) {
            ResolvableType parameter = ResolvableType.forMethodParameter(method, i, target);
            if (TypeNames.isA(parameter.resolve(), CONTINUATION))
                throw new OnceMisuseException(
                        method, "it is a suspending function, which answers after it has returned. Return the answer.");
            if (isPart(parameter) || isPart(parameter.asCollection().getGeneric()))
                throw new OnceMisuseException(
                        method, "it takes parts of a form, which a request with a key cannot have.");
        }
    }

    private static boolean isPart(ResolvableType parameter) {
        Class<?> type = (parameter.isArray() ? parameter.getComponentType() : parameter).resolve();
        return PARTS.stream().anyMatch(each -> TypeNames.isA(type, each));
    }

    private static @Nullable String later(ResolvableType returned) {
        Class<?> type = returned.resolve(Object.class);
        if (Future.class.isAssignableFrom(type) || Callable.class.isAssignableFrom(type)) return type.getSimpleName();
        for (String each : LATER) if (TypeNames.isA(type, each)) return type.getSimpleName();
        boolean wraps = TypeNames.isA(type, "org.springframework.http.HttpEntity");
        return wraps && returned.hasGenerics() ? later(returned.getGeneric(0)) : null;
    }
}
