import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const textCharsMax = 20_000

/** What people ask of an agent that has these pages, for clients that offer prompts as commands. */
export function addPrompts(server: McpServer, siteName: string): void {
  server.registerPrompt(
    'explain',
    {
      title: `Explain from the documentation of ${siteName}`,
      description: 'Explains a topic from the pages, with links to them.',
      argsSchema: z.object({ topic: z.string().max(textCharsMax).describe('What to explain.') }),
    },
    ({ topic }) =>
      toPrompt(
        `Explain the following from the documentation of ${siteName}. Search it, read the pages that fit, cite them by link, and say what they leave open.\n\n${topic}`,
      ),
  )
  server.registerPrompt(
    'check',
    {
      title: `Check against the documentation of ${siteName}`,
      description: 'Compares code or configuration with what the pages say, and lists what differs.',
      argsSchema: z.object({ code: z.string().max(textCharsMax).describe('The code or configuration.') }),
    },
    ({ code }) =>
      toPrompt(
        `Check the following against the documentation of ${siteName}. Look up every name and option that it uses. List what differs from the pages, each with the link and the correction.\n\n${code}`,
      ),
  )
}

function toPrompt(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
