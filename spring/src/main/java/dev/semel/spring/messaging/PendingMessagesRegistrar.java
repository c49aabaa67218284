package dev.semel.spring.messaging;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Puts {@link PendingMessages} into every transaction of every transaction manager that is a bean. */
final class PendingMessagesRegistrar implements BeanPostProcessor {
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager) manager.addListener(new Begun(manager));
        return bean;
    }

    private record Begun(TransactionManager manager) implements TransactionExecutionListener {
        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            if (failure == null
                    && transaction instanceof DefaultTransactionStatus status
                    && status.isNewSynchronization()
                    && TransactionSynchronizationManager.isSynchronizationActive())
                TransactionSynchronizationManager.registerSynchronization(new PendingMessages(manager, status));
        }
    }
}
