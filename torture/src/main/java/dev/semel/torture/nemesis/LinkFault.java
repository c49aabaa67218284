package dev.semel.torture.nemesis;

import dev.semel.torture.net.Link;
import dev.semel.torture.net.LinkCondition;
import java.io.IOException;
import java.util.Random;

/** A link in a bad condition. */
record LinkFault(Link link, LinkCondition condition) implements Fault {
    @Override
    public String target() {
        return link.name();
    }

    @Override
    public void inject(Random random) throws IOException {
        link.change(condition);
    }

    @Override
    public void heal() throws IOException {
        link.change(LinkCondition.HEALTHY);
    }
}
