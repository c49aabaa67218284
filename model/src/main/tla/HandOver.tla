------------------------------ MODULE HandOver ------------------------------
(* The hand-over of messages: from transactions by an outbox and relays to a broker. One shard, for shards never meet.
   README.md says which method each step stands for, and what is assumed.

   A step is one statement of the database, or what one party does at once. The time that anything takes is the time
   between steps: a relay that hangs is one that takes no step for long, and then goes on with what it knew. *)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Messages,   \* how many; each has a transaction of its own
    Others,     \* those of them with a key of their own; the rest share one
    Relays,     \* by name
    Epochs,     \* how many leases there are at most
    Marks,      \* how many marks relays take
    Refusals,   \* how often the broker refuses a message
    Orders,     \* how often an operator does something about dead letters
    LostAnswers, \* how often an answer of the broker gets lost
    Weak        \* the rules that are broken, by name; none in a model of what is promised

VARIABLES
    stage,      \* of each transaction: idle, xid (has its number), open (has drawn the number of its message), done, undone
    xid, num,   \* the numbers of each transaction and of its message; 0 for none
    nextXid, nextNum,
    outbox,     \* messages that are committed and not deleted
    letters,    \* dead letters
    due,        \* those of them that are to be sent again
    parked,     \* keys with a dead letter
    lease,      \* the newest: whose, and its epoch
    relay,      \* what each relay knows
    arrived,    \* messages at the broker, in the order in which they came first
    dropped,    \* messages that an operator has dropped
    budget,     \* how often something may still go wrong
    late,       \* whether something was deleted by a relay that had lost its lease
    ghost       \* whether something arrived after it was dropped

vars == <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, relay, arrived, dropped, budget, late, ghost>>

Broken(rule) == rule \in Weak

All == 1..Messages
Keys == [m \in All |-> IF m \in Others THEN "other" ELSE "key"]
Range(s) == {s[i] : i \in 1..Len(s)}
Min(S) == CHOOSE n \in S : \A o \in S : n <= o
Ended(m) == stage[m] \in {"done", "undone"}
SameKey(m) == {o \in All : Keys[o] = Keys[m]}
Before(m, S) == {o \in S : Keys[o] = Keys[m] /\ num[o] < num[m]}

RECURSIVE InOrderOf(_)
InOrderOf(S) == IF S = {} THEN <<>>
                ELSE LET first == CHOOSE m \in S : \A o \in S : num[m] <= num[o] IN <<first>> \o InOrderOf(S \ {first})

NoMark == [last |-> 0, xid |-> 0]
Fresh == [epoch |-> 0, phase |-> "idle", again |-> FALSE, batch |-> <<>>, sent |-> {}, dead |-> {}, tails |-> {}, held |-> {},
          floor |-> 0, mark |-> NoMark]

Init ==
    /\ stage = [m \in All |-> "idle"] /\ xid = [m \in All |-> 0] /\ num = [m \in All |-> 0]
    /\ nextXid = 1 /\ nextNum = 1
    /\ outbox = {} /\ letters = {} /\ due = {} /\ parked = {}
    /\ lease = [owner |-> "", epoch |-> 0]
    /\ relay = [r \in Relays |-> Fresh]
    /\ arrived = <<>> /\ dropped = {}
    /\ budget = [marks |-> Marks, refusals |-> Refusals, orders |-> Orders, lost |-> LostAnswers]
    /\ late = FALSE /\ ghost = FALSE

Spend(what) == budget[what] > 0 /\ budget' = [budget EXCEPT ![what] = @ - 1]

(* ---- writers ---- *)

DrawXid(m) == xid' = [xid EXCEPT ![m] = nextXid] /\ nextXid' = nextXid + 1
DrawNum(m) == num' = [num EXCEPT ![m] = nextNum] /\ nextNum' = nextNum + 1

\* A transaction may have its number long before it appends.
Begin(m) ==
    /\ stage[m] = "idle"
    /\ IF Broken("transaction before message")
       THEN /\ \A o \in SameKey(m) : o < m => Ended(o)
            /\ DrawNum(m) /\ UNCHANGED <<xid, nextXid>>
       ELSE DrawXid(m) /\ UNCHANGED <<num, nextNum>>
    /\ stage' = [stage EXCEPT ![m] = "xid"]
    /\ UNCHANGED <<outbox, letters, due, parked, lease, relay, arrived, dropped, budget, late, ghost>>

\* Those that write for the same key wait for each other.
Append_(m) ==
    /\ stage[m] = "xid"
    /\ \A o \in SameKey(m) : o < m => Ended(o)
    /\ IF Broken("transaction before message") THEN DrawXid(m) /\ UNCHANGED <<num, nextNum>>
       ELSE DrawNum(m) /\ UNCHANGED <<xid, nextXid>>
    /\ stage' = [stage EXCEPT ![m] = "open"]
    /\ UNCHANGED <<outbox, letters, due, parked, lease, relay, arrived, dropped, budget, late, ghost>>

End(m) ==
    /\ stage[m] = "open"
    /\ \/ stage' = [stage EXCEPT ![m] = "done"] /\ outbox' = outbox \union {m}
       \/ stage' = [stage EXCEPT ![m] = "undone"] /\ UNCHANGED outbox
    /\ UNCHANGED <<xid, num, nextXid, nextNum, letters, due, parked, lease, relay, arrived, dropped, budget, late, ghost>>

(* ---- leases ---- *)

Holds(r) == relay[r].epoch = lease.epoch /\ lease.owner = r

\* Its time is over: nothing that its owner has begun is still on its way to the broker.
Take(r) ==
    /\ lease.epoch < Epochs /\ lease.owner # r
    /\ relay[r].phase = "idle" /\ relay[r].tails = {}
    /\ \A o \in Relays : relay[o].phase = "sending" => Broken("over before the lease is")
    /\ lease' = [owner |-> r, epoch |-> lease.epoch + 1]
    /\ relay' = [relay EXCEPT ![r] = [Fresh EXCEPT !.epoch = lease.epoch + 1]]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, arrived, dropped, budget, late, ghost>>

\* It forgets everything. What it had sent may arrive or not, which is as if the broker had taken it or not before.
Crash(r) ==
    /\ relay[r] # Fresh
    /\ relay' = [relay EXCEPT ![r] = Fresh]
    /\ lease' = IF lease.owner = r THEN [lease EXCEPT !.owner = ""] ELSE lease
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, arrived, dropped, budget, late, ghost>>

(* ---- the floor ---- *)

\* First the last number that was drawn; then, in another statement, the number of a new transaction.
MarkNumber(r) ==
    /\ Holds(r) /\ relay[r].phase = "idle" /\ Spend("marks")
    /\ relay' = [relay EXCEPT ![r].phase = "marking", ![r].mark =
            IF Broken("mark the number first") THEN [last |-> 0, xid |-> nextXid] ELSE [last |-> nextNum - 1, xid |-> 0]]
    /\ nextXid' = IF Broken("mark the number first") THEN nextXid + 1 ELSE nextXid
    /\ UNCHANGED <<stage, xid, num, nextNum, outbox, letters, due, parked, lease, arrived, dropped, late, ghost>>

MarkTransaction(r) ==
    /\ relay[r].phase = "marking"
    /\ relay' = [relay EXCEPT ![r].phase = "idle", ![r].mark =
            IF Broken("mark the number first") THEN [@ EXCEPT !.last = nextNum - 1] ELSE [@ EXCEPT !.xid = nextXid]]
    /\ nextXid' = IF Broken("mark the number first") THEN nextXid ELSE nextXid + 1
    /\ UNCHANGED <<stage, xid, num, nextNum, outbox, letters, due, parked, lease, arrived, dropped, budget, late, ghost>>

Horizon == LET running == {xid[m] : m \in {o \in All : xid[o] > 0 /\ ~Ended(o)}} IN
           IF running = {} THEN nextXid ELSE Min(running)

Raised(r, rows) ==
    LET mark == relay[r].mark
        found == {num[m] : m \in rows}
        bound == IF found = {} THEN mark.last + 1 ELSE Min(found \union {mark.last + 1})
    IN IF mark.xid > 0 /\ (Horizon >= mark.xid \/ Broken("wait for the horizon")) /\ relay[r].held = {} /\ bound > relay[r].floor
       THEN bound ELSE relay[r].floor

(* ---- read, hand over, write down ---- *)

IsHeld(r, m) == IF Broken("hold back the key") THEN m \in relay[r].held
                ELSE \E h \in relay[r].held : Keys[h] = Keys[m]

Read(r) ==
    /\ Holds(r) /\ relay[r].phase = "idle" /\ relay[r].tails = {}
    /\ LET all == {m \in outbox : num[m] >= relay[r].floor}
           rows == {m \in all : ~IsHeld(r, m)}
           behind == {m \in rows : Keys[m] \in parked /\ ~Broken("the tail waits")}
           next == rows \ behind
       IN /\ rows # {} \/ Raised(r, all) # relay[r].floor
          /\ relay' = [relay EXCEPT ![r].tails = behind, ![r].floor = Raised(r, all),
                ![r].batch = InOrderOf(next), ![r].again = FALSE, ![r].phase = IF next = {} THEN "idle" ELSE "sending"]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, arrived, dropped, budget, late, ghost>>

\* A pause is over.
LetGo(r) ==
    /\ relay[r].phase = "idle" /\ relay[r].held # {}
    /\ relay' = [relay EXCEPT ![r].held = {}]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, arrived, dropped, budget, late, ghost>>

\* Those behind a parked key go behind it, if it still is parked. They are due when all before them are.
MoveTails(r) ==
    /\ relay[r].tails # {}
    /\ LET mine == Holds(r)
           move == {m \in relay[r].tails \intersect outbox :
                        mine /\ (Keys[m] \in parked \/ Broken("a tail needs a parked key"))}
       IN /\ outbox' = outbox \ move
          /\ letters' = letters \union move
          /\ due' = due \union {m \in move : \A o \in letters : Keys[o] = Keys[m] => o \in due}
    /\ relay' = [relay EXCEPT ![r].tails = {}]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, parked, lease, arrived, dropped, budget, late, ghost>>

\* The broker looks at the next message of a shipment.
Stays(r, m) == [relay[r] EXCEPT !.batch = SelectSeq(Tail(@), LAMBDA o : Keys[o] # Keys[m] \/ Broken("nothing behind a refused one"))]
Answered(after) == IF after.batch = <<>> THEN [after EXCEPT !.phase = "answered"] ELSE after

Takes(r) ==
    /\ relay[r].phase = "sending"
    /\ LET m == Head(relay[r].batch) IN
        /\ arrived' = IF m \in Range(arrived) THEN arrived ELSE Append(arrived, m)
        /\ ghost' = (ghost \/ m \in dropped)
        /\ relay' = [relay EXCEPT ![r] = Answered([@ EXCEPT !.batch = Tail(@), !.sent = @ \union {m}])]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, dropped, budget, late>>

RefusesForGood(r) ==
    /\ relay[r].phase = "sending" /\ Spend("refusals")
    /\ LET m == Head(relay[r].batch) IN
        relay' = [relay EXCEPT ![r] = Answered([Stays(r, m) EXCEPT !.dead = @ \union {m}])]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, arrived, dropped, late, ghost>>

RefusesForNow(r) ==
    /\ relay[r].phase = "sending" /\ ~relay[r].again /\ Spend("refusals")
    /\ LET m == Head(relay[r].batch) IN
        relay' = [relay EXCEPT ![r] = Answered([Stays(r, m) EXCEPT !.held = @ \union {m}])]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, arrived, dropped, late, ghost>>

\* Whatever was taken, nothing is known of it.
AnswerIsLost(r) ==
    /\ relay[r].phase \in {"sending", "answered"} /\ Spend("lost")
    /\ relay' = [relay EXCEPT ![r] =
            IF Broken("no answer is no yes") THEN [@ EXCEPT !.phase = "answered", !.batch = <<>>, !.sent = @ \union Range(relay[r].batch)]
            ELSE [@ EXCEPT !.phase = "idle", !.batch = <<>>, !.sent = {}, !.dead = {}]]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, arrived, dropped, late, ghost>>

Settled(r) == [relay EXCEPT ![r].phase = "idle", ![r].sent = {}, ![r].dead = {}]

\* What the broker has is deleted, what it does not take is parked; both only by whoever has the newest lease.
Settle(r) ==
    /\ relay[r].phase = "answered" /\ ~relay[r].again
    /\ LET mine == Holds(r) \/ Broken("epoch checked")
           gone == IF mine THEN outbox \intersect (relay[r].sent \union relay[r].dead) ELSE {}
           dead == gone \intersect relay[r].dead
       IN /\ outbox' = outbox \ gone
          /\ letters' = letters \union dead
          /\ parked' = parked \union {Keys[m] : m \in dead}
          /\ late' = (late \/ (gone # {} /\ ~Holds(r)))
    /\ relay' = Settled(r)
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, due, lease, arrived, dropped, budget, ghost>>

(* ---- dead letters ---- *)

\* Those that are due and have none before them that is not.
ReadLetters(r) ==
    /\ Holds(r) /\ relay[r].phase = "idle" /\ relay[r].tails = {}
    /\ LET next == {m \in due : Before(m, letters) \subseteq due \/ Broken("letters in order")}
       IN /\ next # {}
          /\ relay' = [relay EXCEPT ![r].batch = InOrderOf(next), ![r].again = TRUE, ![r].phase = "sending"]
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, due, parked, lease, arrived, dropped, budget, late, ghost>>

\* A key without letters is not parked any more. What was refused stays, and what is behind it too.
SettleLetters(r) ==
    /\ relay[r].phase = "answered" /\ relay[r].again
    /\ LET mine == Holds(r) \/ Broken("epoch checked")
           gone == IF mine THEN letters \intersect relay[r].sent ELSE {}
           refused == IF mine THEN letters \intersect relay[r].dead ELSE {}
           left == letters \ gone
       IN /\ letters' = left
          /\ due' = IF Broken("letters in order") THEN due \ (gone \union refused)
                    ELSE {m \in due \ gone : \A o \in refused : Keys[o] # Keys[m]}
          /\ parked' = parked \ {Keys[m] : m \in {g \in gone :
                            Broken("parked to the last letter") \/ \A o \in left : Keys[o] # Keys[g]}}
          /\ late' = (late \/ (gone # {} /\ ~Holds(r)))
    /\ relay' = Settled(r)
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, lease, arrived, dropped, budget, ghost>>

\* By its first letter a key is chosen, with all behind it.
Redrive(m) ==
    /\ m \in letters \ due /\ Before(m, letters) = {} /\ Spend("orders")
    /\ due' = due \union (letters \intersect SameKey(m))
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, letters, parked, lease, relay, arrived, dropped, late, ghost>>

\* What is behind it comes first now.
Drop(m) ==
    /\ m \in letters \ due /\ Spend("orders")
    /\ letters' = letters \ {m} /\ dropped' = dropped \union {m}
    /\ parked' = IF \A o \in letters \ {m} : Keys[o] # Keys[m] THEN parked \ {Keys[m]} ELSE parked
    /\ UNCHANGED <<stage, xid, num, nextXid, nextNum, outbox, due, lease, relay, arrived, late, ghost>>

Next ==
    \/ \E m \in All : Begin(m) \/ Append_(m) \/ End(m) \/ Redrive(m) \/ Drop(m)
    \/ \E r \in Relays :
        \/ Take(r) \/ Crash(r) \/ MarkNumber(r) \/ MarkTransaction(r) \/ Read(r) \/ LetGo(r) \/ MoveTails(r)
        \/ Takes(r) \/ RefusesForGood(r) \/ RefusesForNow(r) \/ AnswerIsLost(r) \/ Settle(r)
        \/ ReadLetters(r) \/ SettleLetters(r)

Spec == Init /\ [][Next]_vars

(* ---- the laws ---- *)

\* What was committed is waiting, or a dead letter, or at the broker, unless an operator has dropped it.
NothingIsLost ==
    \A m \in All : stage[m] = "done" => m \in outbox \union letters \union dropped \union Range(arrived)

\* Nothing waits, or will, below the floor from which the holder of the lease reads.
NothingIsPassedOver ==
    \A r \in Relays : Holds(r) =>
        \A m \in All : (m \in outbox \/ (num[m] > 0 /\ ~Ended(m))) => num[m] >= relay[r].floor

KeysArriveInOrder ==
    \A i, j \in 1..Len(arrived) : i < j /\ Keys[arrived[i]] = Keys[arrived[j]] => num[arrived[i]] < num[arrived[j]]

NothingUncommittedArrives ==
    \A m \in Range(arrived) : stage[m] = "done"

NothingIsDeletedLate == ~late

WhatWasDroppedStaysAway == ~ghost

\* Else nobody would ask an operator for it, and what comes later would overtake it.
LettersParkTheirKeys ==
    \A m \in letters : Keys[m] \in parked
==============================================================================
