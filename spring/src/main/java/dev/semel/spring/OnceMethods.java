package dev.semel.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Methods with {@link Once}, found by the classes that have them. For use by any thread. */
final class OnceMethods implements OnceDeclarations {
    private static final String REQUEST_MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    private record Place(Method method, Class<?> target) {}

    private record Owner(String bean, Method method) {
        @Override
        public String toString() {
            return method.getDeclaringClass().getName() + "." + method.getName() + " of " + bean;
        }
    }

    private final ObjectProvider<SemelProperties> settings;
    private final ObjectProvider<OutcomeCodecs> codecs;
    private final Map<Place, OnceMethod> known = new ConcurrentHashMap<>();
    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    OnceMethods(ObjectProvider<SemelProperties> settings, ObjectProvider<OutcomeCodecs> codecs) {
        this.settings = settings;
        this.codecs = codecs;
    }

    /** What is said of this method; null when nothing is. */
    static @Nullable Once annotation(Method method, @Nullable Class<?> target) {
        return AnnotatedElementUtils.findMergedAnnotation(AopUtils.getMostSpecificMethod(method, target), Once.class);
    }

    /** Whether it answers requests: then the servlet filter guards it, and no proxy. */
    static boolean isHandler(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(REQUEST_MAPPING);
    }

    /** All methods of a class with the annotation, private ones too. */
    static List<Method> annotated(Class<?> type) {
        if (ClassUtils.isPrimitiveOrWrapper(type) || type.getName().startsWith("java.")) return List.of();
        Map<Method, Once> found = MethodIntrospector.selectMethods(
                type, (MethodIntrospector.MetadataLookup<Once>) method -> annotation(method, type));
        return new ArrayList<>(found.keySet());
    }

    /** @throws OnceMisuseException when what is said cannot be kept */
    OnceMethod of(Method called, Class<?> target) {
        Method method = AopUtils.getMostSpecificMethod(called, target);
        Place place = new Place(method, target);
        OnceMethod read = known.get(place);
        return read != null ? read : known.computeIfAbsent(place, first -> read(method, target));
    }

    private OnceMethod read(Method method, Class<?> target) {
        Once once = annotation(method, target);
        if (once == null) throw new IllegalStateException("There is no @Once on " + method);
        return OnceMethod.of(method, target, once, settings.getObject(), codecs.getObject());
    }

    /**
     * What is said of a method of a bean, whose operation is then its own: of two methods with one operation each would get
     * the outcomes of the other.
     *
     * @throws OnceMisuseException when what is said cannot be kept, or the operation is that of another method or bean
     */
    OnceMethod owned(String bean, Method called, Class<?> target) {
        OnceMethod method = of(called, target);
        Owner owner = new Owner(bean, method.method());
        Owner first = owners.putIfAbsent(method.operation(), owner);
        if (first != null && !first.equals(owner))
            throw new OnceMisuseException(
                    method.method(),
                    first + " and " + owner + " share the operation " + method.operation()
                            + ", so each would get the outcomes of the other. Give each an operation of its own:"
                            + " @Once(operation = …). Beans of one class, or that inherit the method, need a method"
                            + " each.");
        return method;
    }

    @Override
    public List<OnceDeclaration> all() {
        return known.values().stream()
                .map(it -> new OnceDeclaration(it.operation(), nameOf(it.method()), it.policy(), false))
                .toList();
    }

    static String nameOf(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
