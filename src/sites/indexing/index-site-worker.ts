import { runIndexProgram } from './index-site-program.ts'

runIndexProgram()
