# Joins a process of sshd to the forge: perl session-socket.pl SOCKET WORD...
#
# It tells the forge its words and what the client wants, hands on what it reads, and does as it is told: bytes for
# standard output, bytes for standard error, and at last an exit code. Perl, because every Debian has it and it starts
# in 5 ms; sh with curl takes as long, speaks one way at a time and is not on every machine; Node takes 35 and 40 MB.
use strict;
use Errno;
use Fcntl;

# The module Socket would take longer to load than all the rest, and these are the same on every Linux that matters.
my ($UNIX, $STREAM, $SENDING) = (1, 1, 1);
# What the forge sends begins with a kind and a length.
my ($EXIT, $OUTPUT) = (0, 1);
my $HEAD = 5;
my $CHUNK = 65536;
my $PATIENCE_S = 1800;

# A side that is gone shows as an error where it is written to, and not as a sudden death.
$SIG{PIPE} = 'IGNORE';
my ($path, @words) = @ARGV;
my $forge;
socket($forge, $UNIX, $STREAM, 0) && connect($forge, pack('S Z*', $UNIX, $path))
  or leave("server is unavailable, please try again later");
fcntl($forge, F_SETFL, fcntl($forge, F_GETFL, 0) | O_NONBLOCK);

my @wishes = map { $ENV{$_} // '' } qw(SSH_ORIGINAL_COMMAND GIT_PROTOCOL SSH_CONNECTION);
my $up = pack('N/a*', join("\0", @words, @wishes));
my $down = '';
my $is_open = 1;

# What comes down never waits for what goes up: that is kept until it can be sent, and no more is read meanwhile.
for (;;) {
  my ($readable, $writable) = ('', '');
  vec($readable, fileno($forge), 1) = 1;
  vec($readable, fileno(STDIN), 1) = 1 if $is_open && $up eq '';
  vec($writable, fileno($forge), 1) = 1 if $up ne '';
  select($readable, $writable, undef, undef) > 0 or next;
  send_up() if vec($writable, fileno($forge), 1);
  read_input() if vec($readable, fileno(STDIN), 1);
  read_forge() if vec($readable, fileno($forge), 1);
}

sub send_up {
  my $sent = syswrite($forge, $up);
  if (defined $sent) { substr($up, 0, $sent) = '' }
  # A forge that has heard enough may still have something to say.
  elsif (!$!{EAGAIN}) { ($up, $is_open) = ('', 0) }
}

sub read_input {
  return if sysread(STDIN, $up, $CHUNK);
  $is_open = 0;
  shutdown($forge, $SENDING);
}

sub read_forge {
  my $got = sysread($forge, $down, $CHUNK, length $down);
  return if !defined $got && $!{EAGAIN};
  leave("the connection to the forge was lost") if !$got;
  while (length $down >= $HEAD) {
    my ($kind, $length) = unpack('C N', $down);
    last if length $down < $HEAD + $length;
    my $bytes = substr($down, $HEAD, $length);
    substr($down, 0, $HEAD + $length) = '';
    exit ord $bytes if $kind == $EXIT;
    put($kind == $OUTPUT ? \*STDOUT : \*STDERR, $bytes);
  }
}

sub put {
  my ($to, $bytes) = @_;
  while ($bytes ne '') {
    # A client that reads nothing for so long ends this process by the signal.
    alarm $PATIENCE_S;
    # Nobody listens any more: the forge will notice that this process is gone.
    my $sent = syswrite($to, $bytes) // exit 1;
    substr($bytes, 0, $sent) = '';
  }
  alarm 0;
}

sub leave {
  put(\*STDERR, "bloomery: $_[0]\n");
  exit 1;
}
