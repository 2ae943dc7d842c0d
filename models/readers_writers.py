# Readers and writers: many may read at once, a writer is alone.
#
# Teaches: several families of processes with their own program counters, shared counters with `Int`, semaphores as
# guards, and `@property` for what is worth a name.
#
# The first reader in locks the room for all readers, the last one out unlocks it. A counter says who is first and
# last, and a second lock guards the counter, which is read in one step and written in the next. RacyReaders does not
# wait for that second lock: a reader walks in while the first one still waits for the room, and meets a writer.
#
# expect: ReadersWriters readers=2 writers=2: holds, 148 states, 444 edges, 1 terminal
# expect: ReadersWriters readers=3 writers=2: holds, 500 states, 1712 edges, 1 terminal
# expect: RacyReaders readers=2 writers=1: violated a_writer_is_alone, 82 states, 153 edges, 5 steps
# expect: RacyReaders readers=3 writers=2: violated a_writer_is_alone, 601 states, 1518 edges, 5 steps
# expect: ReadersWriters readers=2 writers=2 stubborn=auto: holds, 1 terminal
# expect: RacyReaders readers=2 writers=1 stubborn=auto: violated a_writer_is_alone

from enum import IntEnum

from asset import Array, Int, Model, invariant, terminal, transition, when


class Reader(IntEnum):
    OUTSIDE = 0
    COUNTING_IN = 1  # has looked at the counter, not yet changed it
    LOCKING = 2  # the first one in: waits for the room
    READING = 3
    COUNTING_OUT = 4
    DONE = 5


class Writer(IntEnum):
    OUTSIDE = 0
    WRITING = 1
    DONE = 2


class ReadersWriters(Model):
    """The readers' preference solution with a counter and two locks."""

    readers: int = 2
    writers: int = 2

    def state(self):
        self.reader = Array(self.readers, Reader.OUTSIDE)
        self.seen = Array(self.readers, Int(0, self.readers))  # the counter as reader r saw it
        self.writer = Array(self.writers, Writer.OUTSIDE)
        self.inside = Int(0, self.readers)  # how many readers are in the room or wait for it
        self.counter_locked = False
        self.room_locked = False

    @transition(r="readers")
    def reader_step(self, r):
        match self.reader[r]:
            case Reader.OUTSIDE:
                self.lock_counter()
                self.look(r)
                self.reader[r] = Reader.COUNTING_IN
            case Reader.COUNTING_IN:
                self.inside = self.seen[r] + 1
                if self.seen[r] == 0:
                    self.reader[r] = Reader.LOCKING
                else:
                    self.counter_locked = False
                    self.reader[r] = Reader.READING
                self.seen[r] = 0
            case Reader.LOCKING:
                when(not self.room_locked)
                self.room_locked = True
                self.counter_locked = False
                self.reader[r] = Reader.READING
            case Reader.READING:
                self.lock_counter()
                self.look(r)
                self.reader[r] = Reader.COUNTING_OUT
            case Reader.COUNTING_OUT:
                self.inside = self.seen[r] - 1
                if self.seen[r] == 1:
                    self.room_locked = False
                self.seen[r] = 0
                self.counter_locked = False
                self.reader[r] = Reader.OUTSIDE
            case Reader.DONE:
                when(False)

    @transition(r="readers")
    def reader_stops(self, r):
        when(self.reader[r] == Reader.OUTSIDE)
        self.reader[r] = Reader.DONE

    @transition(w="writers")
    def writer_step(self, w):
        match self.writer[w]:
            case Writer.OUTSIDE:
                when(not self.room_locked)
                self.room_locked = True
                self.writer[w] = Writer.WRITING
            case Writer.WRITING:
                self.room_locked = False
                self.writer[w] = Writer.OUTSIDE
            case Writer.DONE:
                when(False)

    @transition(w="writers")
    def writer_stops(self, w):
        when(self.writer[w] == Writer.OUTSIDE)
        self.writer[w] = Writer.DONE

    def lock_counter(self):
        when(not self.counter_locked)
        self.counter_locked = True

    def look(self, r):
        self.seen[r] = self.inside

    @property
    def reading(self):
        return sum(r == Reader.READING for r in self.reader)

    @property
    def writing(self):
        return sum(w == Writer.WRITING for w in self.writer)

    @invariant
    def a_writer_is_alone(self):
        return self.writing == 0 or (self.writing == 1 and self.reading == 0)

    @terminal
    def everyone_is_done(self):
        return all(r == Reader.DONE for r in self.reader) and all(w == Writer.DONE for w in self.writer)


class RacyReaders(ReadersWriters):
    """Wrong: nothing guards the counter between looking at it and changing it."""

    def lock_counter(self):
        self.counter_locked = True
