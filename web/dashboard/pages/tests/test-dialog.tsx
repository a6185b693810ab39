import type { SiteResource } from '../../../../src/contract/admin.ts'
import { suiteOperations } from '../../../../src/contract/operations/suite.ts'
import type { SuiteTest } from '../../../../src/contract/suite.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { call } from '../../api/call.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { readTestForm, type TestForm } from './test-form.ts'
import { say } from '../../../words/say.ts'

export interface TestDialogProps {
  site: SiteResource
  /** The test to change; null for a new one. */
  test: SuiteTest | null
  initial: TestForm
  /** Asks for the right answer first. */
  isCorrection?: boolean
  isOpen: boolean
  onClose(): void
  onDone(url: string): void
}

/** Edits one test, in a pull request. */
export function TestDialog(props: TestDialogProps) {
  const { test, isCorrection = false, isOpen, onClose } = props
  return (
    <Dialog
      title={test !== null ? say('Change the test') : isCorrection ? say('Correct the answer') : say('New test')}
      isOpen={isOpen}
      onClose={onClose}
      closesOutside={false}
    >
      <TestFormView {...props} />
    </Dialog>
  )
}

function TestFormView({ site, test: of, initial, isCorrection = false, onClose, onDone }: TestDialogProps) {
  const form = useForm({
    initial: () => initial,
    send: (values) => {
      const test = readTestForm(values)
      const body =
        of === null
          ? { kind: 'add' as const, test }
          : { kind: 'replace' as const, of: { question: of.question, version: of.version }, test }
      return call(suiteOperations.changeSuite, { params: { id: site.id }, body })
    },
    done: () => say('Added to the pull request. It takes effect once merged.'),
    stale: ['getSuite'],
    onDone: ({ pullRequest }) => {
      onDone(pullRequest.url)
      onClose()
    },
  })
  const answer = (
    <TextAreaField
      label={say('The right answer')}
      isOptional={!isCorrection}
      rows={4}
      description={say(
        "Given to readers as the owner's answer until an answer from the pages contains all facts. Needs facts.",
      )}
      {...form.field('answer', say('The answer'), 'test.answer')}
    />
  )
  return (
    <FormView form={form} action={say('Add to the pull request')} onCancel={onClose}>
      <TextField label={say('Question')} {...form.field('question', say('The question'), 'test.question')} />
      {isCorrection ? answer : null}
      <TextAreaField
        label={say('Facts')}
        isOptional={!isCorrection}
        rows={3}
        placeholder={say('seven days | 7 days')}
        description={say('What the answer must contain, one per line. Spellings of one fact are separated by |.')}
        {...form.field('facts', say('The facts'), 'test.facts')}
      />
      <MoreFields>
        <YesNoField
          legend={say('Refusal')}
          label={say('The documentation does not answer it, and the assistant must say so')}
          {...form.field('isRefusal')}
        />
        <TextAreaField
          label={say('Pages')}
          isOptional
          rows={2}
          placeholder="/guides/install"
          description={say('The answer must cite one of them.')}
          {...form.field('pages', say('The pages'), 'test.pages')}
        />
        <TextAreaField
          label={say('Must not contain')}
          isOptional
          rows={2}
          description={say('Wording, one per line.')}
          {...form.field('without', say('The wording'), 'test.without')}
        />
        <TextField label={say('Version')} isOptional {...form.field('version', say('The version'), 'test.version')} />
        {isCorrection ? null : answer}
      </MoreFields>
    </FormView>
  )
}
