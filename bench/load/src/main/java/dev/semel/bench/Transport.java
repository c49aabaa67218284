package dev.semel.bench;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The cheapest way to sockets that this machine has: native epoll on Linux, the JDK's selector elsewhere. */
record Transport(
        String name,
        IoHandlerFactory handler,
        Class<? extends SocketChannel> socket,
        Class<? extends ServerSocketChannel> serverSocket) {

    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(
                        "native epoll",
                        EpollIoHandler.newFactory(),
                        EpollSocketChannel.class,
                        EpollServerSocketChannel.class)
                : new Transport(
                        "JDK selector",
                        NioIoHandler.newFactory(),
                        NioSocketChannel.class,
                        NioServerSocketChannel.class);
    }

    MultiThreadIoEventLoopGroup oneLoop() {
        return new MultiThreadIoEventLoopGroup(1, handler);
    }
}
