import { maskSecrets } from '../base/mask-secrets.ts'
import type { Message } from './messages.ts'
import type { WriteGroup } from './write-group.ts'

/** A write group that stores questions and answers without the secrets and personal data in their text. */
export function maskAnswers(writes: WriteGroup): WriteGroup {
  return {
    ...writes,
    add: (record) => writes.add({ ...record, messages: record.messages.map(maskMessage) }),
  }
}

/** Reasons quote the answer. */
function maskMessage(message: Message): Message {
  return { ...message, text: maskSecrets(message.text), verdictReasons: message.verdictReasons.map(maskSecrets) }
}
