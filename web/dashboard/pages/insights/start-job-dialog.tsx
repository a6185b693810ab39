import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { GapResource } from '../../../../src/contract/insights.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { describeError, describeFieldError } from '../../api/api-error.ts'
import { jobDraftQuery, startGapJob } from '../../api/insights.ts'
import { Loaded } from '../../shell/loaded.tsx'

export interface StartJobDialogProps {
  gap: GapResource
  isOpen: boolean
  onClose(): void
  /** Given the gap as it is then. */
  onStarted(gap: GapResource): unknown
}

/** The prompt of the job, as it is prepared, to be changed before anything begins. */
export function StartJobDialog({ gap, isOpen, onClose, onStarted }: StartJobDialogProps) {
  const draft = useQuery({ ...jobDraftQuery(gap.id), enabled: isOpen })
  return (
    <Dialog
      title="Have the gap mended"
      description="The agent edits the documentation and opens a pull request. Once it is merged and the site is synced, the questions are asked again."
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
  const [prompt, setPrompt] = useState(draft)
  const start = useMutation({
    mutationFn: () => startGapJob(gapId, prompt),
    onSuccess: (gap) => {
      showToast({ title: 'The job is under way.' })
      onClose()
      return onStarted(gap)
    },
  })
  const fieldError = describeFieldError(start.error, 'The prompt', 'prompt')
  return (
    <Form isBusy={start.isPending} onSubmit={() => start.mutate()}>
      {start.isError && fieldError === null ? <Notice tone="danger">{describeError(start.error)}</Notice> : null}
      <TextAreaField
        label="Prompt"
        description="What readers wrote stands in it as quoted text."
        required
        rows={14}
        value={prompt}
        onValueChange={setPrompt}
        error={fieldError}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={start.isPending}>
          Start the job
        </Button>
      </DialogActions>
    </Form>
  )
}
