import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { ReceiptSigner } from '../../src/assistant/receipts/receipt-signer.ts'
import type { Citation } from '../../src/contract/citations.ts'
import type { Receipt, UnsignedReceipt } from '../../src/contract/receipts.ts'
import { checkReceipt, receiptFields } from '../../src/git/verify-receipt.mjs'
import { createGitRepository, type GitRepository } from '../support/git-repository.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import { hostileText, mutate, type Mutation, mutation } from './hostile-values.ts'

const signer = new ReceiptSigner(Buffer.alloc(32, 7))
const keys = [signer.publicKey]

/** Files whose names and line ends are unusual. */
const files: Readonly<Record<string, string>> = {
  'guides/keys.mdx':
    '---\ntitle: Keys\n---\n\n# Keys\n\nRun `docent key create` to **create** one.\n\n- First\n- Second\n',
  '-c.md': 'A file whose name begins like an option.\n\nIt has 3 lines.',
  'a b/über:größe.md': '# Größe\r\n\r\nZwei Zeilen – mit Umlauten.\r\nCafe\u0301 und Café.\r\n',
  ':(top)*.md': Array.from(
    { length: 300 },
    (_, index) => `Line ${index} of many, see [page ${index}](/p${index}).`,
  ).join('\n'),
}

interface FuzzedReceipt {
  answer: UnsignedReceipt
  other: UnsignedReceipt
  changes: { kind: ChangeKind; mutation: Mutation }[]
}

/** Placeholder for the commit, which is not known before the repository exists. */
const someCommit = '0'.repeat(40)

/** Receipts verify, and none in which anything was changed. Each input is one answer and ten changes of it. */
export function fuzzReceipts(): FuzzTarget[] {
  let made: ReturnType<typeof createRepository> | null = null
  return [
    makeTarget({
      name: 'receipts',
      share: 0.02,
      arbitrary: fc.record({ answer: answerOf(), other: answerOf(), changes }),
      check: async (fuzzed) => checkFuzzed(fuzzed, await (made ??= createRepository())),
    }),
  ]
}

async function createRepository(): Promise<{ repository: GitRepository; commit: string }> {
  const repository = await createGitRepository()
  process.once('exit', () => rmSync(repository.outside, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) await repository.write(file, text)
  return { repository, commit: repository.commit() }
}

async function checkFuzzed(
  { answer, other, changes }: FuzzedReceipt,
  { repository, commit }: Awaited<ReturnType<typeof createRepository>>,
): Promise<void> {
  const sign = (unsigned: UnsignedReceipt) =>
    signer.sign(JSON.parse(JSON.stringify(unsigned).replaceAll(someCommit, commit)) as UnsignedReceipt) // As it was.
  const receipt = sign(answer)
  const verify = (text: string) => checkReceipt(Buffer.from(text), { repository: repository.folder, keys })
  const report = await verify(JSON.stringify(receipt, null, 2))
  if (!report.verified) throw new Error(`It does not verify: ${JSON.stringify(report)}`)
  for (const change of changes) {
    const text = changeText(receipt, sign(other), change)
    const changed = await verify(text)
    if (changed.verified) throw new Error(`It verifies after ${change.kind}: ${text.slice(0, 2_000)}`)
  }
}

/** Changes of values, of the order of lists, and of how the same value is written. */
const changeKinds = [
  'value',
  'value',
  'value',
  'swap',
  'reorder',
  'normalize',
  'number',
  'duplicate',
  'signature',
] as const

type ChangeKind = (typeof changeKinds)[number]

const changes = fc.array(fc.record({ kind: fc.constantFrom(...changeKinds), mutation }), {
  minLength: 10,
  maxLength: 10,
})

/** @returns JSON that differs from the receipt in more than white space and the order of names. */
function changeText(receipt: Receipt, other: Receipt, { kind, mutation }: FuzzedReceipt['changes'][number]): string {
  const text = JSON.stringify(receipt)
  const changed = changeBy[kind](receipt, other, mutation)
  return isSame(changed, text) ? JSON.stringify({ ...receipt, text: `${receipt.text}.` }) : changed
}

function isSame(changed: string, text: string): boolean {
  if (changed === text) return true
  // What changes how a value is written is not seen in the value.
  return changed.length === text.length && isDeepStrictEqual(JSON.parse(changed), JSON.parse(text))
}

const changeBy: Readonly<Record<ChangeKind, (receipt: Receipt, other: Receipt, mutation: Mutation) => string>> = {
  value: (receipt, _other, mutation) => JSON.stringify(mutate(receipt, mutation)) ?? '',
  swap: (receipt, other, { place }) => {
    const name = receiptFields[place % receiptFields.length] ?? ''
    return JSON.stringify({ ...receipt, [name]: other[name as keyof Receipt] }) // A field of both.
  },
  reorder: (receipt, _other, { place }) => {
    const { covers, citations } = receipt
    return JSON.stringify({
      ...receipt,
      ...(place % 2 === 0 ? { covers: covers.toReversed() } : { citations: citations.toReversed() }),
    })
  },
  normalize: (receipt, _other, { place }) => {
    const form = ['NFC', 'NFD', 'NFKC', 'NFKD'][place % 4]
    return JSON.stringify({
      ...receipt,
      text: receipt.text.normalize(form),
      question: receipt.question.normalize(form),
    })
  },
  // As `[1, 2]` is written for `lines` and `1` for `start`.
  number: (receipt, _other, { place }) => {
    const forms = ['.0', 'e0', '.00', 'E+0', '0', '.5']
    return JSON.stringify(receipt).replace(
      /(?<=":\[?)\d+(?=[,\]}])/,
      (digits) => `${digits}${forms[place % forms.length]}`,
    )
  },
  duplicate: (receipt, _other, { place, value }) => {
    const name = JSON.stringify(receiptFields[place % receiptFields.length])
    const pair = `${name}:${JSON.stringify(value)}`
    const text = JSON.stringify(receipt)
    return place % 3 === 0 ? `${text.slice(0, -1)},${pair}}` : `{${pair},${text.slice(1)}`
  },
  signature: (receipt, _other, { place }) => {
    const { signature } = receipt
    const at = place % signature.length
    const put = signature[at] === 'A' ? 'B' : 'A'
    const forged = [`${signature.slice(0, at)}${put}${signature.slice(at + 1)}`, `${signature}=`, `${signature}A`, ''][
      place % 4
    ]
    return JSON.stringify({ ...receipt, signature: forged })
  },
}

function answerOf(): fc.Arbitrary<UnsignedReceipt> {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), hostileText)
  const name = fc.string({ unit: 'grapheme', maxLength: 20 })
  return fc.record({
    site: fc.record({ id: name, slug: name, name }),
    threadId: name,
    messageId: name,
    answeredAt: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((at) => at.toISOString()),
    question: text,
    text,
    citations: fc.array(citationOf(), { maxLength: 4 }),
    verdict: fc.constantFrom('supported', 'partial', null),
    model: fc.constantFrom('docent/offline', null),
    revision: fc.constantFrom(someCommit, null),
    commit: fc.constantFrom(someCommit, null),
    version: fc.option(name),
    language: fc.option(name),
  })
}

function citationOf(): fc.Arbitrary<Citation> {
  return fc
    .record({
      file: fc.constantFrom(...Object.keys(files)),
      from: fc.nat(400),
      length: fc.nat(5),
      words: fc.nat(20),
      start: fc.nat(1_000),
    })
    .map(({ file, from, length, words, start }) => {
      const lines = (files[file] ?? '').match(/[^\n]*\n|[^\n]+$/g) ?? []
      const first = (from % lines.length) + 1
      const last = Math.min(first + length, lines.length)
      const text = lines.slice(first - 1, last).join('')
      const all: readonly string[] = text.match(/[\p{L}\p{N}]+/gu) ?? ['']
      const quote = all.slice(words % all.length, (words % all.length) + 12).join(' ')
      const isFound = quote !== ''
      return {
        number: '1',
        sourceIds: ['s1'],
        url: 'https://docs.example/a',
        title: file,
        description: '',
        quote,
        answer: { textId: 'message', start, end: start + 10 },
        source: {
          path: '/a',
          anchor: null,
          headings: [file],
          revision: someCommit,
          commit: someCommit,
          file: isFound ? file : null,
          lines: isFound ? [first, last] : null,
          sha256: isFound ? createHash('sha256').update(text).digest('hex') : null,
          version: null,
          language: null,
        },
        verdict: 'held',
      }
    })
}
