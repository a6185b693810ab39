import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'

/** The question with recognizable secrets and personal data masked, for third-party models. */
export function maskQuestion(question: AssistantQuestion): AssistantQuestion {
  return {
    ...question,
    question: maskSecrets(question.question),
    messages: question.messages.map(({ role, text }) => ({ role, text: maskSecrets(text) })),
    attachments: question.attachments.map((file) =>
      file.kind === 'text' ? { ...file, text: maskSecrets(file.text) } : file,
    ),
    context: question.context.map((entry) => ({ ...entry, value: maskSecrets(entry.value) })),
  }
}
