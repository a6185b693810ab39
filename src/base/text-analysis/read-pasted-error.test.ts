import { expect, it } from 'vitest'
import { cutPastedError, readPastedError } from './read-pasted-error.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const pastes: readonly (readonly [language: string, paste: string, message: string])[] = [
  [
    'Ruby',
    "/usr/lib/ruby/rubygems/core_ext/kernel_require.rb:85:in `require': cannot load such file -- plans (LoadError)\n\tfrom /home/me/app/serve.rb:3",
    "`require': cannot load such file -- plans (LoadError)",
  ],
  [
    'a Ruby class',
    'Plans::SourceNotFound: No source of plans could be found.',
    'Plans::SourceNotFound: No source of plans could be found.',
  ],
  [
    'a Python class',
    'plans.ReadTimeout: The plan timed out\n    at line 88 in read_plan',
    'plans.ReadTimeout: The plan timed out\nread_plan',
  ],
  ['a code', 'EINVALIDPLAN Invalid `plan` option.', 'EINVALIDPLAN Invalid `plan` option.'],
  [
    'a tagged log',
    '[plan-tool] › ✖  The plan v2.0.0 was not found on branch beta',
    '[plan-tool] › ✖ The plan was not found on branch beta',
  ],
  ['a shell', 'zsh: command not found: plan', 'zsh: command not found: plan'],
  ['a shell of another kind', '$ sudo plan run\nsudo: plan: command not found', 'sudo: plan: command not found'],
  [
    'JavaScript',
    `TypeError: plan.map is not a function
    at listPlans (file:///home/me/app/src/plans.ts:14:23)
    at Module._compile (node:internal/modules/cjs/loader:1469:14)
    at route (/home/me/app/node_modules/router/lib/route.js:12:3)`,
    'TypeError: plan.map is not a function\nlistPlans',
  ],
  [
    'Python',
    `Traceback (most recent call last):
  File "/app/main.py", line 22, in load_plans
    client.fetch(plan)
  File "/usr/lib/python3/site-packages/client/api.py", line 9, in fetch
    raise PlanMissing(plan)
client.errors.PlanMissingError: No plan named 'fleet'`,
    "client.errors.PlanMissingError: No plan named 'fleet'\nload_plans",
  ],
  [
    'Java',
    `Exception in thread "main" java.lang.IllegalStateException: The pool is closed
	at com.acme.Plans.load(Plans.java:31)
	at java.base/java.lang.Thread.run(Thread.java:833)
	... 3 more
Caused by: java.net.ConnectException: Connection refused`,
    'Exception in thread "main" java.lang.IllegalStateException: The pool is closed\nCaused by: java.net.ConnectException: Connection refused\ncom.acme.Plans.load',
  ],
  [
    'Go',
    `panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.main()
	/tmp/sandbox/prog.go:9 +0x1d
exit status 2`,
    'panic: runtime error: index out of range with length',
  ],
  [
    'Rust',
    `thread 'main' panicked at src/main.rs:4:10:
called \`Result::unwrap()\` on an \`Err\` value: NotFound
stack backtrace:
   0: rust_begin_unwind
   1: core::panicking::panic_fmt
             at /rustc/90c5418/library/core/src/panicking.rs:72:14`,
    "thread 'main' panicked at\ncalled `Result::unwrap()` on an `Err` value: NotFound",
  ],
  [
    'C#',
    `Unhandled exception. System.InvalidOperationException: No service for type 'IPlans' has been registered.
   at Acme.Program.Main(String[] args) in C:\\src\\Acme\\Program.cs:line 12`,
    "Unhandled exception. System.InvalidOperationException: No service for type 'IPlans' has been registered.\nAcme.Program.Main",
  ],
  [
    'Ruby',
    `app.rb:3:in \`load': undefined method \`name' for nil (NoMethodError)
	from app.rb:9:in \`<main>'`,
    "`load': undefined method `name' for nil (NoMethodError)",
  ],
  [
    'PHP',
    `PHP Fatal error:  Uncaught PDOException: could not find driver in /var/www/db.php:5
Stack trace:
#0 /var/www/db.php(5): PDO->__construct()
#1 {main}
  thrown in /var/www/db.php on line 5`,
    'PHP Fatal error: Uncaught PDOException: could not find driver in',
  ],
  [
    'npm',
    `npm ERR! code ERESOLVE
npm ERR! ERESOLVE unable to resolve dependency tree
npm ERR! A complete log of this run can be found in: /root/.npm/_logs/2026-03-01T10_00_00_000Z-debug-0.log`,
    'npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree',
  ],
  [
    'docker',
    `> docker compose up
2026-03-01T10:22:31.114Z ERROR connect failed request=8f3a2c1b77aa4f0e addr=172.18.0.2:5432
Error: connect ECONNREFUSED 127.0.0.1:5432`,
    'ERROR connect failed request=8f3a2c1b77aa4f0e\nError: connect ECONNREFUSED',
  ],
  [
    'a log of Go',
    `2024/05/01 03:00:07 ERROR : backup/2023.tar: Failed to copy: object is in cold storage, restore first
2024/05/01 03:00:09 ERROR : Attempt 3/3 failed with 1 errors`,
    'ERROR : Failed to copy: object is in cold storage, restore first\nERROR : Attempt failed with errors',
  ],
  [
    'a chain of causes',
    `Failed to open "box:backup": couldn't connect SSH: ssh: handshake failed: key mismatch`,
    `Failed to open "box:backup": couldn't connect SSH: ssh: handshake failed: key mismatch`,
  ],
  [
    'HTTP',
    `HTTP/1.1 429 Too Many Requests
{"code":"rate_limited","message":"The key has no requests left","requestId":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}`,
    '429 Too Many Requests\nrate_limited The key has no requests left',
  ],
  [
    'a log in fields',
    `ts=2024-05-01T03:00:07Z caller=store.go:12 level=error component=store msg="compaction failed" err="plan is not closed"`,
    'compaction failed plan is not closed',
  ],
  [
    'a log in JSON',
    `{"level":"error","ts":"2024-05-01","caller":"store.go:12","msg":"cannot open the store","error":"permission denied"}`,
    'cannot open the store permission denied',
  ],
  [
    'what was being done',
    'Error executing plan: found two series for one label',
    'Error executing plan: found two series for one label',
  ],
  [
    'a command and what the server answered',
    `$ curl -X POST -s http://localhost:9000/-/reload\nThe lifecycle API is not enabled.`,
    'reload\nThe lifecycle API is not enabled.',
  ],
]

it.each(pastes)('keeps of a paste of %s what went wrong', (_, paste, message) => {
  expect(readPastedError(paste)).toEqual({ own: '', message })
})

it.each([
  ["ln: failed to create symbolic link '/home/ada/x/runtime': File exists", 'failed to create symbolic link'],
  ['hx: command not found\n$ helix --version', 'command not found'],
  ["libc.so.6: version `GLIBC_2.35' not found (required by hx)", 'not found (required by'],
  ['Segmentation fault (core dumped)\n#0 0x00007f in scan_words () from runtime/foo.so', 'Segmentation fault'],
  ['2025-01-10T10:00:01.123 lsp::transport [ERROR] "request timed out after 20s"', 'request timed out'],
  ['no-jump: Jumps should not be used if nothing needs doing.', 'Jumps should not be used'],
  ['braces[spacing]: Spacing could be improved\n/home/ada/x.yml:4', 'Spacing could be improved'],
  ['thrown: "Exceeded 5000 ms for a test.', 'ms for a test'],
])('knows a message without the word “error” as pasted: %s', (text, kept) => {
  const pasted = readPastedError(text)

  expect(pasted?.message).toContain(kept)
  expect(pasted?.message).not.toMatch(/home|0x0|2025/)
  expect(pasted?.own).toBe('')
})

it.each(['note: why is the file not found?', 'Is it killed?', 'deploy: how do I do it'])(
  'leaves a question alone: %s',
  (text) => {
    expect(readPastedError(text)).toBeNull()
  },
)

it('puts the words of the reader before the message, wherever they stand', () => {
  const stack = 'RangeError: too deep\n    at walk (src/walk.ts:4:1)'

  expect(cutPastedError(`Why does indexing stop?\n\n${stack}\n\nIt worked yesterday.`)).toBe(
    'Why does indexing stop? It worked yesterday.\nRangeError: too deep\nwalk',
  )
})

it('keeps the name that the address of an explanation ends with', () => {
  expect(cutPastedError('error: bad plan, see https://docs.example.com/errors/plan-missing?v=2')).toContain(
    'plan-missing',
  )
})

it.each([
  'What does the error 404 mean?',
  'error handling',
  'npm install does not work with a proxy, what is wrong?',
  'curl it with a key\nHow do I do that?',
  'at what time (UTC) does the job run?',
  '#1 reason to use hooks',
  'EXPLAIN the plan',
  '[beta] how do I start?',
  'How do I delete /guides/old.md:\n\n1. locally\n2. on the server',
])('leaves a question without a paste as it is: %s', (question) => {
  expect(readPastedError(question)).toBeNull()
})

it('takes time that grows with the length of the text, whatever it consists of', () => {
  const hostile = ['a/', 'at ', 'x', 'Error ', '"', '{"error":"a\\', 'a.b.c ', '^ ', '1: ', "in `'"]
  const startedAt = threadCpuMs()

  for (const piece of hostile) for (const end of ['', '\n']) readPastedError(`${piece}${end}`.repeat(20_000))

  expect(threadCpuMs() - startedAt).toBeLessThan(2_000)
})

it('takes what a program prints of an error object for a part of it, and versions and packages for noise', () => {
  const paste = `npm warn deprecated left-pad@1.3.0: use String.prototype.padStart
npm error peer acme@"^17.0.0" from plans
PlanError: Plan is locked
    at save (/app/plan.js:3:1) {
  code: 'ERR_PLAN_LOCKED',
  statusCode: 409,
}`

  const read = readPastedError(paste)

  expect(read?.own).toBe('')
  expect(read?.message).toContain('ERR_PLAN_LOCKED')
  expect(read?.message).not.toMatch(/1\.3\.0|17\.0\.0/)
})

it.each([
  'no-jump: how do I turn it off?',
  'read-only fields',
  'retry-after: 30',
  'follow-up: I want more',
  'What does braces[spacing] mean?',
])('takes the name of a rule or a header in a question for no paste: %s', (text) => {
  expect(readPastedError(text)).toBeNull()
})
