# Starts the processes of git for a node: perl spawner.pl SOCKET
#
# A process that forks copies the tables of its memory and stands still meanwhile: 6 to 8 ms for a node, too little to
# measure for this one. A process is wished for over one connection, and each of its streams is a connection, too, that
# becomes its descriptor; so what it reads and writes does not pass through here. Whoever wished for it is told its exit
# code, and ends it by closing the connection. When the node is gone, so is all that it wished for.
#
# A process has a bound on the memory it may write to, which all that it starts inherits. Files that it maps to read, as
# git does with packs, do not count. When the machine still runs out of memory, these are to go before anybody else.
use strict;
use Errno;
use POSIX ();

# The module Socket takes long to load, and these are the same on every Linux that matters.
my ($UNIX, $STREAM) = (1, 1);
# Every connection begins with the number of the process and what it is of it: a descriptor, or the wish itself.
my $HEAD = 6;
my $WISH = 0xffff;
my $KILLED = 0xffff;
# Perl knows no setrlimit, and a shell or a program that does would cost a millisecond for each process: the call itself
# costs nothing, but has another number on other machines.
my $PRLIMIT64 = { x86_64 => 302, aarch64 => 261, riscv64 => 261, loongarch64 => 261, ppc64le => 325, s390x => 334 }
  ->{ (POSIX::uname())[4] } // die "memory of processes cannot be bounded on this kind of machine\n";
my $RLIMIT_DATA = 2;
my $FIRST_TO_GO = 500;
# A child that ends just before select is not heard by it.
my $TICK_S = 0.1;
# Descriptors below are for the processes to come: nothing of ours may be in their way.
my $DESCRIPTORS = 16;

# A terminal tells everybody to end; the node says when.
$SIG{$_} = 'IGNORE' for qw(PIPE INT TERM HUP);
$SIG{CHLD} = sub { };
my @places = map { open(my $place, '<', '/dev/null'); $place } 3 .. $DESCRIPTORS;
my $door;
socket($door, $UNIX, $STREAM, 0) && bind($door, pack('S Z*', $UNIX, $ARGV[0])) && listen($door, 4096)
  or die "cannot listen: $!";
syswrite(STDOUT, "ready\n");

# Connections that have said nothing yet; by number, what has come of a wish; by pid, who waits for its end, and those
# of them who may still ask for it.
my (@silent, %wishes, %waiting, %patient);
for (;;) {
  my $readable = '';
  vec($readable, fileno($_), 1) = 1 for $door, \*STDIN, @silent, values %patient;
  my $count = select($readable, undef, undef, %waiting ? $TICK_S : undef);
  bury();
  next if $count <= 0;
  my $is_readable = sub { vec($readable, fileno($_[0]), 1) };
  leave() if $is_readable->(\*STDIN);
  for my $pid (grep { $is_readable->($patient{$_}) } keys %patient) {
    kill('KILL', -$pid);
    delete $patient{$pid};
  }
  my @telling = grep { $is_readable->($_) } @silent;
  @silent = grep { !$is_readable->($_) } @silent;
  listen_to($_) for @telling;
  if ($is_readable->($door) && accept(my $connection, $door)) { push @silent, $connection }
}

sub listen_to {
  my ($connection) = @_;
  my ($number, $part) = unpack('N n', take($connection, $HEAD) // return);
  my $wish = $wishes{$number} //= { streams => {} };
  if ($part == $WISH) {
    my $length = unpack('N', take($connection, 4) // return);
    my $text = take($connection, $length) // return;
    @$wish{'waiting', 'count', 'memory', 'nice', 'folder', 'words', 'environment'} = ($connection, split_wish($text));
  }
  else { $wish->{streams}{$part} = $connection }
  return if !defined $wish->{count} || keys %{ $wish->{streams} } < $wish->{count};
  delete $wishes{$number};
  start($wish);
}

sub split_wish {
  my ($count, $memory, $nice, $folder, $words, @rest) = split(/\0/, $_[0], -1);
  return ($count, $memory, $nice, $folder, [splice(@rest, 0, $words)], { @rest });
}

sub start {
  my ($wish) = @_;
  my $pid = fork();
  # Who waits learns from the end of the connection that there is nothing to wait for.
  return if !defined $pid;
  run($wish) if $pid == 0;
  setpgrp($pid, $pid);
  $waiting{$pid} = $patient{$pid} = $wish->{waiting};
}

# Never returns. A group of its own, so that whatever it starts ends with it.
sub run {
  my ($wish) = @_;
  setpgrp(0, 0);
  $SIG{$_} = 'DEFAULT' for qw(PIPE INT TERM HUP CHLD);
  POSIX::dup2(fileno($wish->{streams}{$_}), $_) for keys %{ $wish->{streams} };
  %ENV = %{ $wish->{environment} };
  my @words = @{ $wish->{words} };
  POSIX::nice($wish->{nice}) if $wish->{nice} > 0;
  bound($wish->{memory}) && chdir($wish->{folder}) && exec { $words[0] } @words;
  syswrite(STDERR, "cannot be started: $!\n");
  POSIX::_exit(127);
}

sub bound {
  my ($bytes) = @_;
  if (open(my $score, '>', '/proc/self/oom_score_adj')) { syswrite($score, $FIRST_TO_GO) }
  return syscall($PRLIMIT64, 0, $RLIMIT_DATA, pack('Q Q', $bytes, $bytes), 0) == 0;
}

sub bury {
  while ((my $pid = waitpid(-1, POSIX::WNOHANG)) > 0) {
    syswrite($waiting{$pid}, pack('n', $? & 127 ? $KILLED : $? >> 8));
    delete $waiting{$pid};
    delete $patient{$pid};
  }
}

# A node that was killed cannot clear up after itself.
sub leave {
  kill('KILL', -$_) for keys %waiting;
  unlink($ARGV[0]);
  rmdir($ARGV[0] =~ s{/[^/]+$}{}r);
  exit 0;
}

# Exactly so many bytes: what follows is for somebody else.
sub take {
  my ($connection, $length) = @_;
  my $bytes = '';
  while (length $bytes < $length) {
    my $got = sysread($connection, $bytes, $length - length $bytes, length $bytes);
    return undef if defined $got ? $got == 0 : !$!{EINTR};
  }
  return $bytes;
}
