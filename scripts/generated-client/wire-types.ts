import { z } from 'zod'
import { answerMetadataSchema } from '../../src/contract/answer-metadata.ts'
import { questionFieldsSchema } from '../../src/contract/assistant-request.ts'
import { feedbackCreateSchema, feedbackReplySchema } from '../../src/contract/feedback.ts'
import { readerSessionRequestSchema, readerSessionSchema } from '../../src/contract/reader-session.ts'
import { dataPartSchemas } from '../../src/contract/ui-message-stream.ts'
import { printComment, printType } from './print-type.ts'

/** What the service sends. */
const received = z.object({
  AnswerMetadata: answerMetadataSchema,
  DataParts: z.object(withoutPrefix(dataPartSchemas)),
  FeedbackReply: feedbackReplySchema,
  ReaderSession: readerSessionSchema,
})
/** What the client sends. */
const sent = z.object({
  QuestionFields: questionFieldsSchema,
  FeedbackCreate: feedbackCreateSchema,
  ReaderSessionRequest: readerSessionRequestSchema,
})

const head = `// What crosses the wire, made from the schemas of the service: npm run generate\n`

/** The types of the client package, which has neither the schemas nor the library that they are written with. */
export function writeWireTypes(): string {
  const types = new Map([...listTypes(sent, 'input'), ...listTypes(received, 'output')])
  return [head, ...types.values()].join('\n')
}

/** The properties and definitions, each a declaration of its own. */
function listTypes(schema: z.ZodType, io: 'input' | 'output'): [name: string, text: string][] {
  const { properties = {}, $defs = {} } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  // A property whose schema has an id is a reference to the definition of that name.
  return Object.entries({ ...properties, ...$defs }).map(([name, schema]) => [
    name,
    `${printComment(schema)}export type ${name} = ${printType(schema)}\n`,
  ])
}

/** The AI SDK names data parts without the prefix that their frames have. */
function withoutPrefix<Schema>(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type.replace(/^data-/, ''), schema]))
}
