import { useQuery } from '@tanstack/react-query'
import type { GapResource } from '../../../../src/contract/insights.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { call, queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export interface StartJobDialogProps {
  gap: GapResource
  isOpen: boolean
  onClose(): void
  /** Called with the updated gap. */
  onStarted(gap: GapResource): unknown
}

/** Shows the drafted prompt for editing before the job starts. */
export function StartJobDialog({ gap, isOpen, onClose, onStarted }: StartJobDialogProps) {
  const draft = useQuery({
    ...queryOf(insightOperations.draftGapJob, { params: { id: gap.id } }),
    enabled: isOpen,
  })
  return (
    <Dialog
      title={say('Fix this gap with a job')}
      description={say(
        'The agent edits the documentation and opens a pull request. Once it is merged and the site is synced, the questions are asked again.',
      )}
      isOpen={isOpen}
      onClose={onClose}
      closesOutside={false}
    >
      <Loaded query={draft}>
        {({ prompt }) => <JobForm gapId={gap.id} draft={prompt} onClose={onClose} onStarted={onStarted} />}
      </Loaded>
    </Dialog>
  )
}

interface JobFormProps extends Pick<StartJobDialogProps, 'onClose' | 'onStarted'> {
  gapId: string
  draft: string
}

function JobForm({ gapId, draft, onClose, onStarted }: JobFormProps) {
  const form = useForm({
    initial: { prompt: draft },
    send: (body) => call(insightOperations.createGapJob, { params: { id: gapId }, body }),
    done: say('Job started.'),
    onDone: (gap) => {
      onClose()
      return onStarted(gap)
    },
  })
  return (
    <FormView form={form} action={say('Start job')} onCancel={onClose}>
      <TextAreaField
        label={say('Prompt')}
        description={say('Reader text appears in it as quotations.')}
        required
        rows={14}
        {...form.field('prompt', say('The prompt'))}
      />
    </FormView>
  )
}
