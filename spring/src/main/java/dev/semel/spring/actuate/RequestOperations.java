package dev.semel.spring.actuate;

import dev.semel.spring.OnceDeclaration;
import dev.semel.spring.OnceDeclarations;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/** The operations of controllers, whose requests are counted when they end, not when they claim. */
final class RequestOperations {
    private final SingletonSupplier<Set<String>> names;

    RequestOperations(ObjectProvider<OnceDeclarations> declarations) {
        this.names = SingletonSupplier.of(() -> declarations.stream()
                .flatMap(each -> each.all().stream())
                .filter(OnceDeclaration::ofRequests)
                .map(OnceDeclaration::operation)
                .collect(Collectors.toSet()));
    }

    boolean contains(String operation) {
        Set<String> known = Objects.requireNonNull(names.get());
        int space = operation.indexOf(' ');
        return known.contains(operation) || (space > 0 && known.contains("*" + operation.substring(space)));
    }
}
