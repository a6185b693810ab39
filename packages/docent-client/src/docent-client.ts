// The entry of the package: everything that applications may import.

export { listSources, listSuggestions, type AnswerSource, type SuggestedPage } from './answer-sources.ts'
export { listCitations, listTexts, type AnswerText } from './answer-texts.ts'
export { linkCitations, readCitationLink, splitByCitations, type CitedPiece } from './cited-pieces.ts'
export { DocentError } from './docent-error.ts'
export type { DocentUIMessage, MessageParts } from './docent-message.ts'
export { DocentTransport, type DocentTransportOptions, type Question } from './docent-transport.ts'
export { findQuote } from './find-quote.ts'
export type {
  AnswerMetadata,
  Citation,
  CitedSource,
  DataParts,
  FeedbackCreate,
  FeedbackReply,
  QuestionFields,
} from './generated/wire-types.ts'
export { lightQuote, type LightQuoteOptions } from './light-quote.ts'
export type { ThreadKeyStorage } from './thread-memory.ts'
export type { ServiceOptions } from './service-requests.ts'
