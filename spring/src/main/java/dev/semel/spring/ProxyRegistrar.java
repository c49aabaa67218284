package dev.semel.spring;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Makes sure that there is something that makes proxies, also in an application that has no other need of them. */
final class ProxyRegistrar implements ImportBeanDefinitionRegistrar, EnvironmentAware {
    private boolean ofClasses = true;

    @Override
    public void setEnvironment(Environment environment) {
        ofClasses = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (ofClasses) AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
    }
}
