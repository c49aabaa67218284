package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.AMQP;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.OneInFlight;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.message.OutgoingMessage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends in waves of which each has one message of every key, and waits for the confirms of a wave before the next. One connection is
 * its own, so that it can be cut when it is stuck without disturbing others.
 */
final class RabbitMqPublisher implements Publisher {
    /** So much later than the shipment should be over: then it is stuck in writing, which nothing else ends. */
    private static final long STUCK_MILLIS = 250;

    private final RabbitMqSettings settings;
    private final RabbitMqMessages messages;
    private final ScheduledExecutorService watch;
    private final String name;

    /** Null after a failure; then the next shipment begins with a new one. */
    private @Nullable RabbitMqLink link;

    private @Nullable ConfirmChannel channel;
    private MessageChecks checks;

    RabbitMqPublisher(
            RabbitMqSettings settings, RabbitMqMessages messages, ScheduledExecutorService watch, String name) {
        this.settings = settings;
        this.messages = messages;
        this.watch = watch;
        this.name = name;
        this.checks = new MessageChecks(settings.largest());
    }

    void connect() throws InterruptedException {
        drop();
        link = RabbitMqLink.open(settings, name);
        checks = new MessageChecks(settings.largest());
    }

    @Override
    public List<Delivery> publish(List<OutgoingMessage> shipment) throws InterruptedException {
        if (link == null || !link.isOpen()) connect();
        RabbitMqLink sending = link;
        if (sending == null) throw new BrokerException(settings.name() + " is not connected.", null);
        long deadline = System.nanoTime() + settings.publish().toNanos();
        long untilStuck = settings.publish().toMillis() + STUCK_MILLIS;
        Future<?> cut = watch.schedule(sending::cut, untilStuck, TimeUnit.MILLISECONDS);
        try {
            return OneInFlight.publish(shipment, wave -> send(sending, wave, deadline));
        } catch (InterruptedException e) {
            drop();
            throw e;
        } finally {
            cut.cancel(false);
            if (!sending.isOpen()) drop();
        }
    }

    private List<Delivery> send(RabbitMqLink sending, List<OutgoingMessage> wave, long deadline)
            throws InterruptedException {
        @Nullable Delivery[] deliveries = new Delivery[wave.size()];
        Deque<List<Integer>> groups = new ArrayDeque<>();
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < deliveries.length; i++) all.add(i);
        groups.add(all);
        while (!groups.isEmpty()) {
            List<Integer> group = checked(groups.removeFirst(), wave, deliveries);
            if (group.isEmpty()) continue;
            Delivery not = notNow(sending, deadline);
            if (not != null) settle(group, not, deliveries);
            else sendGroup(sending, group, wave, deliveries, deadline, groups);
        }
        return List.of(deliveries);
    }

    /** Those that RabbitMQ would take; what it would not is answered at once. */
    private List<Integer> checked(List<Integer> group, List<OutgoingMessage> wave, @Nullable Delivery[] deliveries) {
        List<Integer> good = new ArrayList<>();
        for (int place : group) {
            deliveries[place] = checks.refusal(wave.get(place));
            if (deliveries[place] == null) good.add(place);
        }
        return good;
    }

    private @Nullable Delivery notNow(RabbitMqLink sending, long deadline) {
        String blocked = sending.blocked();
        if (blocked != null) return blocked(blocked);
        if (!sending.isOpen()) return away("the connection to RabbitMQ broke");
        if (System.nanoTime() - deadline >= 0)
            return new Delivery.Retry("there was no time left for it", Delivery.Cause.ORDER);
        return null;
    }

    private static Delivery blocked(String why) {
        return away("RabbitMQ takes no messages at the moment: " + why);
    }

    private static Delivery away(String why) {
        return new Delivery.Retry(why, Delivery.Cause.BROKER);
    }

    private static void settle(List<Integer> group, Delivery delivery, @Nullable Delivery[] deliveries) {
        for (int place : group) deliveries[place] = delivery;
    }

    private void sendGroup(
            RabbitMqLink sending,
            List<Integer> group,
            List<OutgoingMessage> wave,
            @Nullable Delivery[] deliveries,
            long deadline,
            Deque<List<Integer>> groups)
            throws InterruptedException {
        Wave sent = new Wave(group.stream().map(wave::get).toList());
        RabbitMqFailure failure;
        try {
            ConfirmChannel on = channel(sending);
            on.send(sent, deadline);
            failure = on.failure();
        } catch (IOException | RuntimeException e) {
            failure = RabbitMqFailure.of(e);
        }
        for (int i = 0; i < group.size(); i++) deliveries[group.get(i)] = sent.delivery(i);
        List<Integer> unknown = sent.unknown().stream().map(group::get).toList();
        if (unknown.isEmpty()) return;
        if (failure != null && !failure.connection()) blame(failure, unknown, deliveries, groups);
        else if (failure == null && System.nanoTime() - deadline < 0) groups.addFirst(unknown);
        else settle(unknown, unanswered(sending, failure), deliveries);
    }

    private Delivery unanswered(RabbitMqLink sending, @Nullable RabbitMqFailure failure) {
        String blocked = sending.blocked();
        if (failure == null && blocked != null) return blocked(blocked);
        // What was not answered should not be done later, if that can be helped. A connection that is blocked is kept:
        // on a new one
        // the same would be sent once more, and wait there.
        sending.cut();
        return away(
                failure != null
                        ? "the connection to RabbitMQ broke: " + failure
                        : "RabbitMQ did not confirm it within "
                                + settings.publish().toMillis() + " ms");
    }

    private ConfirmChannel channel(RabbitMqLink sending) throws IOException {
        if (channel != null && channel.isUsable()) return channel;
        if (channel != null) channel.close();
        ConfirmChannel opened = ConfirmChannel.open(sending, messages, settings.exchange());
        channel = opened;
        return opened;
    }

    /**
     * RabbitMQ has closed the channel because of one of these, and does not say which. It has ignored all behind that one; of those
     * ahead of it some may be there. No two have the same key, so they can be sent again in any order.
     */
    private void blame(
            RabbitMqFailure failure,
            List<Integer> unknown,
            @Nullable Delivery[] deliveries,
            Deque<List<Integer>> groups) {
        boolean everybody = failure.code() == AMQP.NOT_FOUND
                || (failure.code() == AMQP.ACCESS_REFUSED && !failure.text().contains("access to topic"));
        if (everybody)
            settle(
                    unknown,
                    away(
                            failure.code() == AMQP.NOT_FOUND
                                    ? "RabbitMQ cannot be used: " + RabbitMqLink.noExchange(settings)
                                    : "RabbitMQ does not let the user " + settings.user() + " write: " + failure),
                    deliveries);
        else if (checks.learn(failure)) groups.addFirst(unknown);
        else if (unknown.size() == 1) settle(unknown, MessageChecks.refused(failure), deliveries);
        else {
            groups.addFirst(unknown.subList(unknown.size() / 2, unknown.size()));
            groups.addFirst(unknown.subList(0, unknown.size() / 2));
        }
    }

    private void drop() {
        if (link != null) link.cut();
        link = null;
        channel = null;
    }

    @Override
    public void close() {
        if (link != null) link.close();
        drop();
    }
}
