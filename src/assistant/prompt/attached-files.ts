import type { Attachment, UnreadFile } from '../../contract/attachments.ts'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'

type UserPart = Extract<ChatPrompt[number], { role: 'user' }>['content'][number]

/** Marks parts that contain a file, for `withoutFiles`. Not sent to providers. */
const fileMark = { docent: { file: true } } as const

/** The files of a question, as parts of its message. */
export function toFileParts(attachments: readonly Attachment[]): UserPart[] {
  return attachments.flatMap((file): UserPart[] => {
    if (file.kind === 'unread') return []
    const label: UserPart = { type: 'text', text: describeFile(file), providerOptions: fileMark }
    if (file.kind === 'text') return [label]
    const { mediaType, bytes, width, height } = file
    const providerOptions = { docent: { file: true, width, height } }
    return [label, { type: 'file', mediaType, data: { type: 'data', data: bytes }, providerOptions }]
  })
}

function describeFile(file: Exclude<Attachment, UnreadFile>): string {
  const label = `The file ${JSON.stringify(file.name)} (${file.mediaType}) that the reader attached, as data:`
  return file.kind === 'text' ? `${label}\n${file.text}` : label
}

export function hasFiles(prompt: ChatPrompt): boolean {
  return prompt.some(({ role, content }) => role === 'user' && content.some(isFilePart))
}

/** The same conversation without the files of its question. */
export function withoutFiles(prompt: ChatPrompt): ChatPrompt {
  return prompt.map((message) =>
    message.role === 'user' ? { ...message, content: message.content.filter((part) => !isFilePart(part)) } : message,
  )
}

function isFilePart({ providerOptions }: UserPart): boolean {
  return providerOptions?.['docent']?.['file'] === true
}

/** One sentence for each file that is not read, in a paragraph of its own; empty if all are. */
export function describeUnread(attachments: readonly Attachment[]): string {
  const sentences = attachments.flatMap((file) =>
    file.kind === 'unread' ? [writeSentence(file, attachments.length > 1)] : [],
  )
  return sentences.length === 0 ? '' : `${sentences.join(' ')}\n\n`
}

function writeSentence({ noun, name, reason }: UnreadFile, isNamed: boolean): string {
  return `The ${noun}${isNamed ? ` “${name}”` : ''} was not read: ${reason}.`
}

/** Why files are not read, by their kind; null if they are. */
export type UnreadReasons = Readonly<Record<'image' | 'text', string | null>>

export const offlineReasons: UnreadReasons = {
  image: 'the offline model cannot see images',
  text: 'the offline model only searches for the beginning of files',
}
export const costReasons: UnreadReasons = {
  image: 'with it, the answer could cost more than this site allows',
  text: 'with it, the answer could cost more than this site allows',
}
export const refusedReasons: UnreadReasons = { image: 'the model did not accept it', text: null }

/** The files as unread, for the reason of their kind. */
export function markUnread(attachments: readonly Attachment[], reasons: UnreadReasons): Attachment[] {
  return attachments.map((file) => {
    const reason = file.kind === 'unread' ? null : reasons[file.kind]
    if (reason === null || file.kind === 'unread') return file
    const noun = file.kind === 'image' ? 'image' : 'file'
    return { kind: 'unread', noun, name: file.name, mediaType: file.mediaType, reason }
  })
}

/** The question as it is stored: of its files, only names and types. */
export function writeStoredQuestion({ question, attachments }: AssistantQuestion): string {
  if (attachments.length === 0) return question
  return `${question}\n\n[Attached: ${attachments.map(({ name, mediaType }) => `${name} (${mediaType})`).join(', ')}]`
}
