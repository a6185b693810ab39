import type { HandOverField, HandOverSettings } from '../../../../src/contract/hand-over-settings.ts'

/** Values of the part of the form that is about messages from readers. */
export interface HandOverForm {
  handOver: boolean
  handOverFields: string
  handOverEmails: string
  handOverIssues: boolean
}

const defaultFields = 'E-mail: email, required\nMessage: paragraphs, required'

export function toHandOverForm(settings: HandOverSettings | null): HandOverForm {
  return {
    handOver: settings !== null,
    handOverFields: settings?.fields.map(writeField).join('\n') ?? defaultFields,
    handOverEmails: settings?.emails.join('\n') ?? '',
    handOverIssues: settings?.issues ?? false,
  }
}

export function readHandOver(form: HandOverForm): HandOverSettings | null {
  if (!form.handOver) return null
  const lines = form.handOverFields.split('\n').filter((line) => line.trim() !== '')
  return {
    fields: lines.map(readField),
    emails: form.handOverEmails.split(/[\s,]+/).filter((address) => address !== ''),
    issues: form.handOverIssues,
  }
}

function writeField({ label, kind, required }: HandOverField): string {
  return `${label}: ${kind}${required ? ', required' : ''}`
}

const kinds = ['text', 'email', 'paragraphs'] as const

/** Without a known kind, it is one line of text. */
function readField(line: string, index: number): HandOverField {
  const [, label = line, words = ''] = /^(.*):([^:]*)$/.exec(line) ?? []
  const given = new Set(words.split(',').map((word) => word.trim().toLowerCase()))
  const kind = kinds.find((known) => given.has(known)) ?? 'text'
  return { name: `field-${index + 1}`, label: label.trim(), kind, required: given.has('required') }
}
