import { type AssistantQuestion, readQuestion } from './assistant-request.ts'
import { type ChatQuestion, readChatQuestion } from './chat-completion-request.ts'

/** The question that each kind of request contains. `chat` is a chat completion as OpenAI's clients request it. */
export interface QuestionFormats {
  v1: AssistantQuestion
  v2: AssistantQuestion
  chat: ChatQuestion
}

export type QuestionFormat = keyof QuestionFormats

/** Reads the question from a parsed body. All throw `AppError` as `readQuestion` does. */
export const questionReaders: { readonly [Format in QuestionFormat]: (body: unknown) => QuestionFormats[Format] } = {
  v1: (body) => readQuestion('v1', body),
  v2: (body) => readQuestion('v2', body),
  chat: readChatQuestion,
}
