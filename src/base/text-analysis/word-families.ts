import { analyzeText } from './analyze-text.ts'

/** One family per line: synonyms in readers' questions and documentation, whatever the product. */
const lines = `
delete remove uninstall erase drop destroy
install setup installation configure
price cost pricing billing fee charge pay payment rate
subscription plan tier
prompt question ask query
return respond response answer reply
require required need needs necessary prerequisite mandatory
fix mend repair solve resolve troubleshoot
signin login
authenticate authentication authorization auth
error fail failure failed problem issue crash wrong
change update edit modify alter customize customise adjust
create add new make generate
add insert append include
limit maximum max quota cap most largest highest biggest longest
minimum min least smallest lowest shortest
begin start launch run
stop disable off deactivate
stop end finish terminate cancel abort kill
enable on activate
toggle switch turn enable disable
mistyped misspelled typo wrong unknown invalid
logout signout
repository repo
directory folder path
configuration config configure settings setting
parameter argument option flag prop property attribute
option choice alternative
environment env
variable placeholder
database db
documentation docs manual
token key credential secret
organization organisation team workspace org company
member user people teammate person colleague coworker
user customer client visitor reader
admin administrator owner
release version
deploy deployment publish ship
production live
preview staging
email mail
website site
migrate migration move switch
upgrade update
restore recover
backup snapshot
colour color
picture image logo photo icon
host hosting
rename move
allowed permitted permission allow permit
restrict limit prevent block forbid disallow ignore
refuse reject deny block
expire expiry lifetime valid expiration
renew rotate refresh regenerate
revoke invalidate
undo revert rollback
log logs logging
test testing tests check verify validate
download export
upload import
show display view see
hide hidden invisible
invite add
interval often every frequency
time duration long period
wait delay
immediately instantly once
fast quick speed performance
store stored keep kept retain retention save persist
conversation thread chat history
manually hand
automatic automatically auto
pr prs pull
ci pipeline
info information data
whole entire all full complete
several multiple many
big large huge size
fake mock stub
replica instance
scale replica scaling
monitor metrics observability monitoring
small tiny compact
kind type sort category
name title label
heading title
subfolder subdirectory subpath
broken dead
docker container
page article
text content
language locale translation translate localization internationalization i18n
example sample demo
choose select pick
get obtain fetch retrieve receive read access load
find search lookup
connect link integrate integration attach
copy duplicate clone
combine merge join
split divide separate
replace substitute swap override overwrite
skip ignore exclude omit
notify notification alert
schedule scheduled cron periodic
monitor track watch
analytics statistics stats metrics
domain hostname
certificate tls ssl https
cache caching cached
url address link uri
endpoint route
request call
body payload
status state
number count amount quantity
order sort sequence
menu navigation sidebar nav
look theme style appearance design
font typeface typography
shortcut hotkey keyboard
embed iframe
snippet fragment
collapsible collapse expandable expand accordion
accessible accessibility a11y
mobile phone
review approve approval
comment note
feedback rating
template boilerplate
role permission access right rights privilege
protect secure security
private restricted
public open
assistant bot chatbot
offline disconnected
reload restart
money dollar usd budget spend spending cost
shell terminal console command cli
restrict narrow
intranet internal private
prompt instruction instruct
stuck hang freeze frozen
idle inactive inactivity unused
reuse reusable shared share
vector embedding semantic
earlier previous past former
helpdesk support contact
resume continue
arrive come
piece part chunk section passage
obey honour honor respect
quit exit leave close
boot startup start launch
measure measurement timing timer duration
callback hook handler listener event intercept interceptor
hook middleware plugin
throttle slow bandwidth ratelimit
redact mask sensitive hide conceal
compress compression zip gzip
archive tarball zip
encrypt encryption cipher
password passphrase credentials
retry retries attempt repeat again
sync synchronize synchronise mirror
nested nest child sub
inherit extend
print output write
watch reload
debug verbose trace tracing diagnostics
warning warn
everywhere global globally
parallel concurrent concurrency simultaneous simultaneously
background queue task job
align alignment
paginate pagination pager
autocomplete autocompletion completion complete
vulnerability vulnerable security
dependency package module library
plugin extension addon
executable binary bin program app application
pin freeze
cookie session
redirect redirection forward follow
serialize stringify encode
parse decode
mock stub fake simulate pretend dummy
bind listen
memory ram
spread distribute distribution balance balancing
waiting queued pending
secret sensitive confidential
storage disk drive
space capacity
forever permanently permanent
reset default initial
outdated stale deprecated deprecate obsolete
broken deprecated deprecate
newest latest
statement expression
separator delimiter terminator
reference link
finish complete done
daily nightly night day
hourly hour
weekly week
monthly month
yearly annually annual year
detailed detail verbose verbosity
mistake error typo invalid
valid correct wellformed validate
browse explore navigate
build compile bundle
slow latency performance optimize tune
crash panic abort
empty blank null
missing absent lost
unique distinct
allowlist whitelist safelist
denylist blacklist blocklist
primary master leader main
secondary slave follower standby
pause suspend halt
interrupt cancel abort signal
shutdown stop exit graceful gracefully
loop iterate iteration
array list collection
dictionary map hash object
integer number numeric
boolean true false
convert transform cast
format prettify beautify
lint check
draft unpublished
author writer
downgrade rollback
compatible compatibility support
detect recognize discover infer guess
discover discovery
silence suppress quiet silent mute
console stdout terminal
machine computer laptop workstation server
attach mount
detach unmount
plugged connected
remote server
wrap wrapper decorate decorator
define declare specify
specify set provide
provide supply give
send emit publish dispatch deliver
emit fire trigger dispatch
subscribe listen
ensure guarantee assert
sign signature
checksum hash digest integrity
identifier id
beginner quickstart tutorial
chart graph plot
spawn fork exec subprocess
override precedence priority
conflict collision clash
compare diff difference
patch fix
license licence
privacy gdpr
telemetry tracking analytics
live running online
shorten truncate cut trim
wrong incorrect bad
forget remember
old older previous legacy
fallback default
extra additional further
own custom
remember persist cache
unlock unblock
guess infer
together group grouped
`

/** By term, the terms of all words in its families. Collected for the first question, because it takes 20 ms. */
let relativesByTerm: ReadonlyMap<string, ReadonlySet<string>> | null = null

function collectRelatives(): ReadonlyMap<string, ReadonlySet<string>> {
  const relatives = new Map<string, Set<string>>()
  for (const line of lines.trim().split('\n')) {
    const terms = line.split(' ').flatMap((word) => analyzeText(word, 'en').map(({ term }) => term))
    for (const term of terms) {
      const known = relatives.get(term) ?? new Set()
      for (const relative of terms) if (relative !== term) known.add(relative)
      relatives.set(term, known)
    }
  }
  return relatives
}

const none: ReadonlySet<string> = new Set()

/** Stems of its synonyms. English only. */
export function listRelatives(term: string): ReadonlySet<string> {
  relativesByTerm ??= collectRelatives()
  return relativesByTerm.get(term) ?? none
}
