package dev.semel.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Looks at every bean that has methods with {@link Once} and stops the start when one of them could not be kept. Comes after
 * proxies are made, and makes certain that calls meet the advisors in the right order.
 */
final class OnceBeanCheck implements BeanPostProcessor, SmartInitializingSingleton {
    private static final String TRANSACTION_INTERCEPTOR =
            "org.springframework.transaction.interceptor.TransactionInterceptor";

    private final OnceMethods methods;
    private final ObjectProvider<Joining> joining;
    private final ObjectProvider<OnceHandlers> handlers;
    private final ConfigurableListableBeanFactory beans;

    OnceBeanCheck(
            OnceMethods methods,
            ObjectProvider<Joining> joining,
            ObjectProvider<OnceHandlers> handlers,
            ConfigurableListableBeanFactory beans) {
        this.methods = methods;
        this.joining = joining;
        this.handlers = handlers;
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        for (Method method : OnceMethods.annotated(AopUtils.getTargetClass(bean)))
            if (!OnceMethods.isHandler(method)) methods.of(method, AopUtils.getTargetClass(bean));
        if (bean instanceof Advised proxy) arrange(proxy, AopUtils.getTargetClass(bean));
        return bean;
    }

    /** What has to be known of other beans is asked when all are there. */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            if (!beans.containsSingleton(name)) continue;
            Object bean = beans.getSingleton(name);
            if (bean != null) check(bean, AopUtils.getTargetClass(bean));
        }
    }

    private void check(Object bean, Class<?> target) {
        for (Method method : OnceMethods.annotated(target)) {
            if (OnceMethods.isHandler(method)) {
                requireHandled(method, target);
                continue;
            }
            requireProxied(bean, method);
            SelfInvocation.refuse(target, method);
            if (methods.of(method, target).isJoined()) requireJoining(method).checked(method, target);
        }
        if (bean instanceof Advised proxy) arrange(proxy, target);
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

    private static void requireProxied(Object bean, Method method) {
        if (bean instanceof Advised proxy)
            for (Advisor each : proxy.getAdvisors()) if (each instanceof OnceAdvisor) return;
        throw new OnceMisuseException(
                method,
                "the bean has no proxy, so calls are not guarded. It may have been made too early, as something that"
                        + " other beans are made with, or its class may be final.");
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
            if (isNamed(advisors.get(i).getAdvice().getClass())) return i;
        return -1;
    }

    private static boolean isNamed(Class<?> advice) {
        for (Class<?> type = advice; type != null; type = type.getSuperclass())
            if (type.getName().equals(TRANSACTION_INTERCEPTOR)) return true;
        return false;
    }
}
