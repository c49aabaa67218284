package dev.semel.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * After a forward, Tomcat 11 looks for its own response under all wrappers, and lets nothing more be written to it. What is held
 * back here would then never reach the client. So Tomcat does not find it: it sees a response of no class that it knows.
 */
final class TomcatForward {
    private TomcatForward() {}

    static ServletResponse hidden(ServletResponse response) {
        return isTomcats(response) ? disguised(response) : response;
    }

    private static boolean isTomcats(ServletResponse response) {
        ServletResponse inner = response;
        while (inner instanceof ServletResponseWrapper wrapper) inner = wrapper.getResponse();
        return inner.getClass().getName().startsWith("org.apache.catalina.");
    }

    private static ServletResponse disguised(ServletResponse response) {
        return (ServletResponse) Proxy.newProxyInstance(
                HttpServletResponse.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(response, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
