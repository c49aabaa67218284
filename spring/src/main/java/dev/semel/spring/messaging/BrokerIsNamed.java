package dev.semel.spring.messaging;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Whether a URL says where this process sends messages. An empty one counts as unset. */
final class BrokerIsNamed extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata where) {
        Environment environment = context.getEnvironment();
        boolean named = StringUtils.hasText(environment.getProperty("semel.relay.broker"))
                && environment.getProperty("semel.relay.enabled", Boolean.class, true);
        return new ConditionOutcome(
                named, ConditionMessage.of(named ? "semel.relay.broker is set" : "semel.relay.broker is not set"));
    }
}
