import { Download } from 'lucide-react'
import { linkButton } from '../../../ui/link-button.ts'
import { exportAddress, type QuestionFilter } from '../../api/insights.ts'
import classes from './insights-page.module.css'

/** Download links for the filtered questions, so that the browser streams files of any length to disk. */
export function ExportMenu({ filter }: { filter: QuestionFilter }) {
  return (
    <div className={classes.actions}>
      {(['csv', 'json'] as const).map((format) => (
        <a key={format} className={linkButton()} href={exportAddress(filter, format)} download>
          <Download size={16} aria-hidden /> {format === 'csv' ? 'Export CSV' : 'Export JSON'}
        </a>
      ))}
    </div>
  )
}
