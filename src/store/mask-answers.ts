import { maskSecrets } from '../base/mask-secrets.ts'
import type { WriteGroup } from './write-group.ts'

/** A write group that stores questions and answers without the secrets and personal data in their text. */
export function maskAnswers(writes: WriteGroup): WriteGroup {
  return {
    ...writes,
    add: ({ thread, messages }) =>
      writes.add({ thread, messages: messages.map((message) => ({ ...message, text: maskSecrets(message.text) })) }),
  }
}
