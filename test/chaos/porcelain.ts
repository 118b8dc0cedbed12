/** Parses `git push --porcelain`: for every ref done, refused, or unknown. */
import type { Answer } from './ledger.ts'

const LINE = /^([ +\-*!=])\t[^\t]*:([^\t]+)\t(.*)$/
/**
 * Not refusals of the forge: it did not answer, which git reports in its own words; or it does not know the outcome. The
 * third occurs for a client that sent the same push a second time by itself.
 */
const UNSAID = /remote failure|proc-receive|updated concurrently|outcome is unknown/

export function readAnswers(output: string): Map<string, Answer> {
  const answers = new Map<string, Answer>()
  for (const line of output.split('\n')) {
    const [, flag, ref, summary = ''] = LINE.exec(line) ?? []
    if (flag === undefined || ref === undefined) continue
    answers.set(ref, flag !== '!' ? 'acknowledged' : UNSAID.test(summary) ? 'unknown' : 'refused')
  }
  return answers
}
