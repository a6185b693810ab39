import { createElement, Fragment, type ReactNode } from 'react'
import type { ErrorCode } from '../../src/contract/error-codes.ts'
import type { Message } from '../../src/contract/message.ts'
import { fillText, makeGrammar, type Placeholder } from './fill-text.ts'
import { language } from './language.ts'
import { loadWords } from './load-words.ts'
import type { ErrorWords, MessageWords, PlainText, PluralText, Words } from './words.ts'

type Values<Name extends string> = [Name] extends [never] ? [] : [values: { [Key in Name]: string | number }]

type Tag<Key> = Key extends `${string}</${infer Name}>${infer Rest}` ? Name | Tag<Rest> : never
type Parts<Key> = { [Name in Placeholder<Key>]: ReactNode } & { [Name in Tag<Key>]: (text: string) => ReactNode }

let words: Words | null = null
const grammar = makeGrammar(language)

/** Loads the texts of the language of the window. Modules look texts up while they are loaded, so import them afterwards. */
export async function prepareWords(): Promise<void> {
  words = await loadWords(language)
}

/**
 * A text in the language of the window. It is named by its English; `{name}` stands for a value. English that needs two
 * translations says at its end where it is used, which is not shown: `Open [state]`.
 */
export function say<Key extends PlainText>(text: Key, ...[values]: Values<Placeholder<Key>>): string {
  return fillText(find(text), values ?? {}, grammar)
}

/**
 * A text that depends on the number `{count}`.
 *
 * @param one The English for one.
 * @param other The English for other numbers, which names the text.
 */
export function sayCount<Key extends PluralText>(
  count: number,
  one: string,
  other: Key,
  ...[values]: Values<Exclude<Placeholder<Key>, 'count'>>
): string {
  const forms = words === null ? { one, other } : words.texts[other]
  return fillText(grammar.choose(forms, count), { ...values, count }, grammar)
}

/** A text with elements in it: `{name}` stands for an element, `<name>…</name>` for what a function makes of the text within. */
export function sayParts<Key extends PlainText>(text: Key, parts: Parts<Key>): ReactNode {
  // What `Parts` demands, by name.
  const given = parts as Readonly<Record<string, ReactNode | ((text: string) => ReactNode)>>
  const nodes = find(text)
    .split(/(\{\w+\}|<\w+>.*?<\/\w+>)/)
    .map((piece) => {
      const [, name, tag, inner = ''] = /^(?:\{(\w+)\}|<(\w+)>(.*)<\/\w+>)$/.exec(piece) ?? []
      const part = given[name ?? tag ?? '']
      if (typeof part === 'function') return part(inner)
      return name === undefined ? piece : typeof part === 'number' ? grammar.write(part) : part
    })
  return createElement(Fragment, null, ...nodes)
}

/**
 * The advice on an error in the language of the window.
 *
 * @param code Of the service, which may be newer and have others.
 * @returns Null in English, which is the contract's, and for an unknown code.
 */
export function sayError(code: string): ErrorWords[ErrorCode] | null {
  return words !== null && Object.hasOwn(words.errors, code) ? words.errors[code as ErrorCode] : null
}

/**
 * Sentences of the service in the language of the window.
 *
 * @param english The same in English, for a window in English, and for a service that is newer and has others.
 */
export function sayMessages(messages: readonly Message[], english: string): string {
  const said = words === null ? [null] : messages.map((message) => sayMessage(message, words?.messages))
  return said.includes(null) ? english : said.join(' ')
}

/** What a finding of a rule is about. Null in English, whose findings say it themselves, and for an unknown rule. */
export function sayFinding(rule: string): string | null {
  return words !== null && Object.hasOwn(words.findings, rule) ? (words.findings[rule] ?? null) : null
}

function sayMessage({ code, values }: Message, catalogue: MessageWords | undefined): string | null {
  if (code === 'verbatim') return String(values['text'])
  if (catalogue === undefined || !Object.hasOwn(catalogue, code)) return null
  const text = catalogue[code as keyof MessageWords]
  const form = typeof text === 'string' ? text : grammar.choose(text, Number(values['count']))
  return fillText(form, writeAmounts(values), grammar)
}

const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' })

function writeAmounts(values: Message['values']): Message['values'] {
  const written = Object.entries(values).map(([name, value]) => [
    name,
    name.endsWith('Usd') && typeof value === 'number' ? dollars.format(value) : value,
  ])
  return Object.fromEntries(written) as Message['values']
}

function find(text: PlainText): string {
  return words === null ? text.replace(/ \[[^\]]*\]$/, '') : words.texts[text]
}
