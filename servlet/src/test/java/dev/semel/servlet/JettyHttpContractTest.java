package dev.semel.servlet;

class JettyHttpContractTest extends ServletHttpContract {
    @Override
    TestServer.Kind kind() {
        return JettyServer::start;
    }
}
