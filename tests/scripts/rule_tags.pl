# rule_tags.pl: the work of check_rules.sh, which explains it. Reads names of files, each with a zero byte behind it, and
# runs at the top of the source tree.
use strict;
use warnings;

my $failures = 0;

sub complain {
  print "FAILED: @_\n";
  ++$failures;
}

# "VU C33" -> "vu-c33", "seed 000, 3.15" -> "seed-000-3.15".
sub anchor_of {
  my ($tag) = @_;
  return lc($tag) =~ s/[ ,]+/-/gr;
}

# ------------------------------------------------------------------------------------- Headings of docs/rules

my %where;   # anchor -> file:line
my %page_of; # "FILE#anchor" -> 1

sub read_headings {
  my ($file) = @_;
  open(my $in, '<', $file) or die "$file: $!";
  while (my $line = <$in>) {
    while ($line =~ /<a id="([^"]*)"><\/a>([^:]*)/g) {
      my ($anchor, $tag) = ($1, $2);
      $tag =~ s/\s+$//;
      complain("$file:$.: anchor '$anchor' stands before '$tag', whose anchor is '" . anchor_of($tag) . "'")
        if $anchor ne anchor_of($tag);
      complain("$file:$.: anchor '$anchor' is there twice, also in $where{$anchor}") if exists $where{$anchor};
      $where{$anchor} //= "$file:$.";
      $page_of{"$file#$anchor"} = 1;
    }
  }
  close $in;
}

# ------------------------------------------------------------------------------------- Citations

my $item = qr/(?:[CQ]\d{1,2}[a-z]?|\d{1,2}(?:\.\d{1,2})?)(?![\w-])/;
my $step = qr/(?:, (?:and |or )?| and | or |; | to |\.\.)/;
# Behind a plain number something must end, so that "MU 7, 12 rows" is not two tags.
my $next = qr/(?:section )?(?:[CQ]\d{1,2}[a-z]?(?![\w-])|\d{1,2}(?:\.\d{1,2})?(?=\s*(?:[\]\)"'`,;:|]|\.(?!\d)|\.\.|and |to |or |$)))/;
my $list = qr/$item(?:$step$next)*/;

my %cited; # tag -> times

sub cite {
  my ($file, $line, $tag) = @_;
  ++$cited{$tag};
  complain("$file:$line: no rule '$tag' in docs/rules") if !exists $where{ anchor_of($tag) };
}

# The tags of a list, with what lies between the ends of a range.
sub cite_list {
  my ($file, $line, $family, $text) = @_;
  my $last;
  while ($text =~ /(to |\.\.)?(?:section )?([CQ]?)(\d+)(?:\.(\d+))?([a-z]?)/g) {
    my ($range, $kind, $number, $part, $letter) = ($1, $2, $3, $4, $5);
    if ($range && $last) {
      my ($kind0, $number0, $part0) = @$last;
      if (defined $part && defined $part0 && $number == $number0) {
        cite($file, $line, "$family $number.$_") for $part0 + 1 .. $part - 1;
      } elsif ($kind eq $kind0 && !defined $part) {
        cite($file, $line, "$family $kind$_") for $number0 + 1 .. $number - 1;
      }
    }
    cite($file, $line, "$family $kind$number" . (defined $part ? ".$part" : '') . $letter);
    $last = [$kind, $number, $part];
  }
}

sub read_citations {
  my ($file) = @_;
  open(my $in, '<', $file) or die "$file: $!";
  my @lines = <$in>;
  close $in;
  chomp @lines;
  for my $i (0 .. $#lines) {
    my $text = $lines[$i] =~ s/["\s\\]+$//r;
    my $own = length $text;
    if ($i < $#lines && $text =~ /(?:\b(?:VU|MU|seed|SFPI|reference|section|core\.md|and|to|or)|,)$/) {
      $text .= ' ' . ($lines[ $i + 1 ] =~ s/^[\s\/*#;<"]+//r);
    }
    my $line = $i + 1;
    while ($text =~ /\b(VU|MU)(?: sections?)? ($list)/g) {
      cite_list($file, $line, $1, $2) if $-[0] < $own;
    }
    while ($text =~ /\bseed (00\d)\b(?:, (\d+\.\d+(?:, \d+\.\d+)*))?/g) {
      next if $-[0] >= $own;
      my ($seed, $sections) = ($1, $2 // '');
      cite($file, $line, "seed $seed") if $sections eq '';
      cite($file, $line, "seed $seed, $_") for split /, /, $sections;
    }
    while ($text =~ /\bSFPI(?: reference)?,? ([1-4]\.\d(?:, [1-4]\.\d)*)\b/g) { # 5.0 and above are versions
      cite_list($file, $line, 'SFPI', $1) if $-[0] < $own;
    }
    while ($text =~ /\bcore\.md ($item(?:$step$next)*)/g) {
      cite_list($file, $line, 'core.md', $1) if $-[0] < $own;
    }
    while ($text =~ /\bT(\d)(?: to T(\d))?\b/g) {
      next if $-[0] >= $own || $1 eq '0'; # a thread, as T1 and T2 can be
      cite($file, $line, "T$_") for $1 .. ($2 // $1);
    }
    cite($file, $line, 'patterns') if $text =~ /, patterns\b/ && $-[0] < $own;
    cite($file, $line, "VU C$1") while $lines[$i] =~ /\(C(\d+)\)/g;

    # Links: to FILE#anchor beside the page, or into docs/rules from another page.
    next if $file !~ /\.md$/;
    my $folder = $file =~ s/[^\/]*$//r;
    while ($lines[$i] =~ /\]\(([\w\/.-]*)#([\w.-]+)\)/g) {
      my ($page, $anchor) = ($1, $2);
      my $target = $page eq '' ? $file : "$folder$page";
      $target =~ s/[^\/]+\/\.\.\///;
      next if $target !~ /^docs\/rules\// || $anchor !~ /\d|^patterns$/;
      complain("$file:$line: the link leads to '$target#$anchor', which does not exist") if !$page_of{"$target#$anchor"};
    }
  }
}

my @files = do { local $/ = "\0"; map { chomp; $_ } <STDIN> };
read_headings($_) for grep { /^docs\/rules\/.*\.md$/ } @files;
complain("docs/rules has no headings with anchors") if !%where;
for my $file (@files) {
  read_citations($file) if -T $file;
}
complain("nothing cites a rule: is this the source tree?") if !%cited;
my $citations = 0;
$citations += $_ for values %cited;
printf "%d tags are cited, %d times; docs/rules has %d headings\n", scalar keys %cited, $citations, scalar keys %where;
exit($failures ? 1 : 0);
