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
      title={test !== null ? 'Change the test' : isCorrection ? 'Correct the answer' : 'New test'}
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
    done: () => 'Added to the pull request. It counts once that is merged.',
    stale: ['getSuite'],
    onDone: ({ pullRequest }) => {
      onDone(pullRequest.url)
      onClose()
    },
  })
  const answer = (
    <TextAreaField
      label="The right answer"
      isOptional={!isCorrection}
      rows={4}
      description="Given to readers as the owner's answer until an answer from the pages contains all facts. Needs facts."
      {...form.field('answer', 'The answer', 'test.answer')}
    />
  )
  return (
    <FormView form={form} action="Add to the pull request" onCancel={onClose}>
      <TextField label="Question" {...form.field('question', 'The question', 'test.question')} />
      {isCorrection ? answer : null}
      <TextAreaField
        label="Facts"
        isOptional={!isCorrection}
        rows={3}
        placeholder="seven days | 7 days"
        description="What the answer must contain, one per line. Spellings of one fact are separated by |."
        {...form.field('facts', 'The facts', 'test.facts')}
      />
      <MoreFields>
        <YesNoField
          legend="Refusal"
          label="The documentation does not answer it, and the assistant must say so"
          {...form.field('isRefusal')}
        />
        <TextAreaField
          label="Pages"
          isOptional
          rows={2}
          placeholder="/guides/install"
          description="The answer must cite one of them."
          {...form.field('pages', 'The pages', 'test.pages')}
        />
        <TextAreaField
          label="Must not contain"
          isOptional
          rows={2}
          description="Wording, one per line."
          {...form.field('without', 'The wording', 'test.without')}
        />
        <TextField label="Version" isOptional {...form.field('version', 'The version', 'test.version')} />
        {isCorrection ? null : answer}
      </MoreFields>
    </FormView>
  )
}
