package dev.semel.broker.nats;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS as the JDK is set up for it, which also checks that the certificate is that of the host: the driver does not by itself, and
 * would take any certificate that anybody trusted has signed.
 */
final class HostCheckingTls extends SSLContextSpi {
    private final SSLContext context;

    private HostCheckingTls(SSLContext context) {
        this.context = context;
    }

    static SSLContext context() throws GeneralSecurityException {
        SSLContext usual = SSLContext.getDefault();
        return new SSLContext(new HostCheckingTls(usual), usual.getProvider(), usual.getProtocol()) {};
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return new Factory(context.getSocketFactory());
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("It is set up already.");
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return context.getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return context.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return context.createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return context.getClientSessionContext();
    }

    private static final class Factory extends SSLSocketFactory {
        private final SSLSocketFactory factory;

        Factory(SSLSocketFactory factory) {
            this.factory = factory;
        }

        private static Socket checking(Socket socket) {
            SSLSocket tls = (SSLSocket) socket;
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            tls.setSSLParameters(parameters);
            return tls;
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean close) throws IOException {
            return checking(factory.createSocket(socket, host, port, close));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return checking(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return checking(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return checking(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return checking(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }
    }
}
