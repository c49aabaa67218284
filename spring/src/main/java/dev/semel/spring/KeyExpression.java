package dev.semel.spring;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;

/** The key of a call, as an expression over its arguments. What can be wrong with it is said at start. */
final class KeyExpression {
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Set<String> OWN_NAMES = Set.of("#this", "#root");

    private final Method method;
    private final SpelExpression expression;

    private KeyExpression(Method method, SpelExpression expression) {
        this.method = method;
        this.expression = expression;
    }

    /** @param method of the class that is the target, not of an interface */
    static KeyExpression of(Method method, String text) {
        if (text.isBlank())
            throw new OnceMisuseException(method, "say what the key is, such as @Once(key = \"#order.id\").");
        try {
            SpelExpression expression = new SpelExpressionParser().parseRaw(text);
            requireKnown(method, text, expression.getAST());
            return new KeyExpression(method, expression);
        } catch (ParseException e) {
            throw new OnceMisuseException(method, "the key '" + text + "' is no SpEL expression: " + e.getMessage(), e);
        }
    }

    private static void requireKnown(Method method, String text, @Nullable SpelNode node) {
        if (node == null) return;
        if (node instanceof VariableReference && !OWN_NAMES.contains(node.toStringAST())) {
            Set<String> known = namesOf(method);
            if (!known.contains(node.toStringAST()))
                throw new OnceMisuseException(
                        method,
                        "the key '" + text + "' speaks of " + node.toStringAST() + ", but known are "
                                + (known.isEmpty() ? "no parameters" : String.join(", ", known))
                                + ". Names of parameters need the compiler's option -parameters.");
        }
        for (int i = 0; i < node.getChildCount(); i++) requireKnown(method, text, node.getChild(i));
    }

    private static Set<String> namesOf(Method method) {
        String[] names = NAMES.getParameterNames(method);
        Set<String> known = names == null
                ? new LinkedHashSet<>()
                : Arrays.stream(names).map(name -> "#" + name).collect(Collectors.toCollection(LinkedHashSet::new));
        for (int i = 0; i < method.getParameterCount(); i++) known.addAll(List.of("#p" + i, "#a" + i));
        return known;
    }

    /** @return null when the expression gives null */
    @Nullable
    String keyOf(Object target, @Nullable Object[] arguments) {
        try {
            Object key = expression.getValue(new MethodBasedEvaluationContext(target, method, arguments, NAMES));
            if (key == null) return null;
            requireText(key);
            return key.toString();
        } catch (EvaluationException e) {
            throw new OnceMisuseException(
                    method,
                    "the key '" + expression.getExpressionString() + "' cannot be found: " + e.getMessage()
                            + " Nothing ran.",
                    e);
        }
    }

    /** The text of an object that has none of its own is another one for each object: equal calls would have other keys. */
    private void requireText(Object key) {
        if (key instanceof Iterable<?> many && !(key instanceof Path))
            for (Object each : many) if (each != null) requireText(each);
        Method text = ReflectionUtils.findMethod(key.getClass(), "toString");
        if (!key.getClass().isArray() && text != null && text.getDeclaringClass() != Object.class) return;
        throw new OnceMisuseException(
                method,
                "the key '" + expression.getExpressionString() + "' is a "
                        + key.getClass().getTypeName()
                        + ", whose text is another one in every call. Nothing ran. Use text, a number or a UUID.");
    }
}
