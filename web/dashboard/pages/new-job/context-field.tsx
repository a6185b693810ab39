import { Paperclip, X } from 'lucide-react'
import { useState } from 'react'
import type { AgentJobContext } from '../../../../src/contract/agent-job.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './context-field.module.css'
import { addContextFiles } from './context-files.ts'
import { say, sayCount } from '../../../words/say.ts'

export interface ContextFieldProps {
  context: readonly AgentJobContext[]
  onChange(context: AgentJobContext[]): void
}

/** Local files for the agent to read; they are not stored in any repository. */
export function ContextField({ context, onChange }: ContextFieldProps) {
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const add = async (files: readonly File[]) => {
    const read = await addContextFiles(context, files)
    setRefusals(read.refusals)
    onChange(read.context)
  }
  return (
    <>
      <Field
        label={say('Files for the agent to read')}
        isOptional
        description={say(
          "Text files, such as notes or an API description: at most 20, of up to 20,000 characters each. They are sent to the agent's model and not stored in any repository.",
        )}
        error={refusals.length === 0 ? null : refusals.join(' ')}
      >
        {(control) => (
          <input
            {...control}
            className={classes.input}
            type="file"
            multiple
            onChange={({ target }) => {
              void add([...(target.files ?? [])])
              // Reset, so that a changed file can be chosen again.
              target.value = ''
            }}
          />
        )}
      </Field>
      {context.length === 0 ? null : (
        <ul className={classes.files} aria-label={say('Selected files')}>
          {context.map(({ path, value }) => (
            <li key={path} className={classes.file}>
              <Paperclip size={15} aria-hidden />
              <code>
                <VisibleText text={path ?? ''} />
              </code>
              <span className={classes.size}>{sayCount(value.length, '{count} character', '{count} characters')}</span>
              <IconButton
                label={say('Remove {path}', { path: path ?? '' })}
                size="small"
                onClick={() => onChange(context.filter((each) => each.path !== path))}
              >
                <X size={15} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
