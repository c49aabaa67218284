package dev.semel.spring;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How outcomes are written and read: the JSON of {@link dev.semel.json.Json}, and like Spring Boot's, it makes objects also by a
 * constructor whose parameters have names. Not the application's own: what is recorded must not change with its settings.
 */
final class OutcomeMapper {
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .annotationIntrospector(
                    AnnotationIntrospector.pair(new JacksonAnnotationIntrospector(), new ParameterNames()))
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private OutcomeMapper() {}

    /** The type, or the one of a member, of which it is certain that no object can be made; null when there is none. */
    static @Nullable String unmakeable(JavaType type) {
        DefaultDeserializationContext context = (DefaultDeserializationContext) MAPPER.getDeserializationContext();
        try {
            JavaType found =
                    unmakeable(type, context.createDummyInstance(MAPPER.getDeserializationConfig()), new HashSet<>());
            return found == null ? null : found.toCanonical();
        } catch (JsonMappingException e) {
            return type.toCanonical();
        }
    }

    private static @Nullable JavaType unmakeable(
            JavaType type, DefaultDeserializationContext context, Set<JavaType> seen) throws JsonMappingException {
        if (!seen.add(type)) return null;
        if (type.isContainerType()) return unmakeable(type.getContentType(), context, seen);
        JsonDeserializer<?> reader = context.findNonContextualValueDeserializer(type);
        if (!(reader instanceof BeanDeserializerBase made)) return null;
        if (!made.getValueInstantiator().canInstantiate() || asksForMore(made, type)) return type;
        for (Iterator<? extends BeanProperty> each = made.properties(); each.hasNext(); ) {
            JavaType found = unmakeable(each.next().getType(), context, seen);
            if (found != null) return found;
        }
        return null;
    }

    /** Whether its constructor has a parameter that no member is written for: it would be null in every object made again. */
    private static boolean asksForMore(BeanDeserializerBase made, JavaType type) throws JsonMappingException {
        Set<String> written = new HashSet<>();
        MAPPER.getSerializerProviderInstance()
                .findValueSerializer(type)
                .properties()
                .forEachRemaining(each -> written.add(each.getName()));
        for (Iterator<SettableBeanProperty> each = made.creatorProperties(); each.hasNext(); ) {
            SettableBeanProperty parameter = each.next();
            boolean explicit =
                    parameter.getAnnotation(JsonProperty.class) != null || parameter.getInjectableValueId() != null;
            if (!explicit && !written.contains(parameter.getName())) return true;
        }
        return false;
    }

    /** As the option -parameters of compilers leaves them. */
    private static final class ParameterNames extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Version version() {
            return Version.unknownVersion();
        }

        @Override
        public @Nullable String findImplicitPropertyName(AnnotatedMember member) {
            if (!(member instanceof AnnotatedParameter it) || !(it.getOwner().getMember() instanceof Executable owner))
                return null;
            Parameter[] parameters = owner.getParameters();
            boolean named = it.getIndex() < parameters.length && parameters[it.getIndex()].isNamePresent();
            return named ? parameters[it.getIndex()].getName() : null;
        }
    }
}
