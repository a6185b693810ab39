import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { z } from 'zod'
import type { ToolDefinition } from './tool-definition.ts'

/** Schemas are constants of the program, and translating one costs more than a whole answer of the offline model. */
const jsonSchemas = new WeakMap<z.ZodObject, LanguageModelV4FunctionTool['inputSchema']>()

/** A tool as providers are told of it. */
export function describeTool({ name, description, inputSchema }: ToolDefinition): LanguageModelV4FunctionTool {
  let schema = jsonSchemas.get(inputSchema)
  if (schema === undefined) {
    // zod's own type of a JSON Schema differs from the provider interface's only in the name of its draft.
    schema = z.toJSONSchema(inputSchema, {
      target: 'draft-7',
      io: 'input',
    }) as LanguageModelV4FunctionTool['inputSchema']
    jsonSchemas.set(inputSchema, schema)
  }
  return { type: 'function', name, description, inputSchema: schema }
}
