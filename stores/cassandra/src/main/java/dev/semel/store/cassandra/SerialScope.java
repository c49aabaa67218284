package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/**
 * Among which replicas a key is agreed upon. All processes that share a keyspace must have the same: two data centers that
 * agree each for itself would each let one holder in.
 */
sealed interface SerialScope {
    /** All replicas, in every data center. */
    record Global() implements SerialScope {
        @Override
        public String text() {
            return "global";
        }
    }

    /** The replicas of one data center. */
    record Local(String datacenter) implements SerialScope {
        @Override
        public String text() {
            return "local:" + datacenter;
        }
    }

    /** As the tables keep it. */
    String text();

    /** For the rounds of Paxos. */
    default ConsistencyLevel serial() {
        return this instanceof Local ? DefaultConsistencyLevel.LOCAL_SERIAL : DefaultConsistencyLevel.SERIAL;
    }

    /** For what Paxos has agreed upon, and for looks at many keys: whoever asks so sees all that was acknowledged. */
    default ConsistencyLevel quorum() {
        return this instanceof Local ? DefaultConsistencyLevel.LOCAL_QUORUM : DefaultConsistencyLevel.QUORUM;
    }
}
