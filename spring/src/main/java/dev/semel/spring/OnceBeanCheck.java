package dev.semel.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Looks at every bean that has methods with {@link Once} and stops the start when one of them could not be kept. Comes after
 * proxies are made, and makes certain that calls meet the advisors in the right order. Beans that are made later are looked at
 * by their type at start, as far as that is known, and again when they are made.
 */
final class OnceBeanCheck implements BeanPostProcessor, SmartInitializingSingleton {
    private static final String TRANSACTION_INTERCEPTOR =
            "org.springframework.transaction.interceptor.TransactionInterceptor";

    private final OnceMethods methods;
    private final ObjectProvider<Joining> joining;
    private final ObjectProvider<OnceHandlers> handlers;
    private final ObjectProvider<DurabilityCheck> durability;
    private final ConfigurableListableBeanFactory beans;
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private volatile boolean started;

    OnceBeanCheck(
            OnceMethods methods,
            ObjectProvider<Joining> joining,
            ObjectProvider<OnceHandlers> handlers,
            ObjectProvider<DurabilityCheck> durability,
            ConfigurableListableBeanFactory beans) {
        this.methods = methods;
        this.joining = joining;
        this.handlers = handlers;
        this.durability = durability;
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        // What leads to a bean of a scope is no bean of its own.
        if (bean instanceof AopInfrastructureBean) return bean;
        Class<?> target = AopUtils.getTargetClass(bean);
        List<Method> annotated = OnceMethods.annotated(target);
        for (Method method : annotated)
            if (!OnceMethods.isHandler(method)) methods.owned(nameOf(name, target), method, target);
            else if (bean instanceof Advised controller) HandlerEntry.watch(controller);
        if (bean instanceof Advised proxy) arrange(proxy, target);
        if (started && !annotated.isEmpty()) {
            requireProxied(bean, target);
            if (checked.add(target)) {
                check(name, target);
                durability.getObject().check();
            }
        }
        return bean;
    }

    /** What has to be known of other beans is asked when all are there. */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean != null && !(bean instanceof FactoryBean<?>)) {
                requireProxied(bean, AopUtils.getTargetClass(bean));
                check(name, AopUtils.getTargetClass(bean));
            } else {
                checkType(name);
            }
        }
        durability.getObject().check();
        started = true;
    }

    /** A bean that is not made yet. */
    private void checkType(String name) {
        Class<?> type = readableType(name);
        if (type != null) check(name, type);
    }

    private @Nullable Class<?> readableType(String name) {
        try {
            Class<?> type = beans.getType(name, false);
            if (type == null || type.isInterface()) return null;
            OnceMethods.annotated(type);
            return ClassUtils.getUserClass(type);
        } catch (BeansException | IllegalStateException | LinkageError e) {
            // Of a library that is not there, as long as nobody makes it.
            return null;
        }
    }

    private void check(String name, Class<?> target) {
        checked.add(target);
        for (Method method : OnceMethods.annotated(target)) {
            if (OnceMethods.isHandler(method)) {
                requireHandled(method, target);
                continue;
            }
            OnceMethod once = methods.owned(nameOf(name, target), method, target);
            SelfInvocation.refuse(target, method);
            if (once.isJoined()) requireJoining(method).check(method, target);
        }
    }

    /** Of a bean with a scope, the same as of what leads to it; of a bean without a name of its own, its class. */
    private String nameOf(String bean, Class<?> target) {
        if (!beans.containsBeanDefinition(bean)) return target.getName();
        return "the bean " + (ScopedProxyUtils.isScopedTarget(bean) ? bean.substring(bean.indexOf('.') + 1) : bean);
    }

    private void requireHandled(Method method, Class<?> target) {
        OnceHandlers known = handlers.getIfAvailable();
        if (known == null)
            throw new OnceMisuseException(
                    method, "requests are guarded by a servlet filter, and this is no servlet application.");
        known.checked(method, target);
    }

    private Joining requireJoining(Method method) {
        Joining known = joining.getIfAvailable();
        if (known == null)
            throw new OnceMisuseException(method, "a joined method needs spring-jdbc and a transaction manager.");
        return known;
    }

    private static void requireProxied(Object bean, Class<?> target) {
        for (Method method : OnceMethods.annotated(target))
            if (!OnceMethods.isHandler(method) && !isGuarded(bean))
                throw new OnceMisuseException(
                        method,
                        "the bean has no proxy, so calls are not guarded. It may have been made too early, as something"
                                + " that other beans are made with, or its class may be final.");
        if (bean instanceof Advised proxy) arrange(proxy, target);
    }

    private static boolean isGuarded(Object bean) {
        return bean instanceof Advised proxy
                && Stream.of(proxy.getAdvisors()).anyMatch(each -> each instanceof OnceAdvisor);
    }

    /** Joined inside the transaction, leased outside, whatever orders the application gave. */
    private static void arrange(Advised proxy, Class<?> target) {
        for (Advisor each : proxy.getAdvisors()) {
            if (!(each instanceof OnceAdvisor once)) continue;
            int transaction = indexOfTransaction(proxy);
            int own = proxy.indexOf(once);
            if (transaction < 0 || (own > transaction) == once.isJoined()) continue;
            if (proxy.isFrozen())
                throw new OnceMisuseException("The proxy of " + target.getName()
                        + " is frozen, with @Once on the wrong side of @Transactional.");
            proxy.removeAdvisor(once);
            proxy.addAdvisor(indexOfTransaction(proxy) + (once.isJoined() ? 1 : 0), once);
        }
    }

    private static int indexOfTransaction(Advised proxy) {
        List<Advisor> advisors = new ArrayList<>(List.of(proxy.getAdvisors()));
        for (int i = 0; i < advisors.size(); i++)
            if (TypeNames.isA(advisors.get(i).getAdvice().getClass(), TRANSACTION_INTERCEPTOR)) return i;
        return -1;
    }
}
