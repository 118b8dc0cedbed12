/** What `git push --porcelain` told its user about every ref: done, refused, or nothing that can be relied on. */
import type { Answer } from './ledger.ts'

const LINE = /^([ +\-*!=])\t[^\t]*:([^\t]+)\t(.*)$/
/**
 * The forge did not say no: it said nothing, and git said that in its own words; or it said that it does not know. The
 * third is said to a client that sent the same push a second time by itself.
 */
const UNSAID = /remote failure|proc-receive|somebody else|not known/

export function readAnswers(output: string): Map<string, Answer> {
  const answers = new Map<string, Answer>()
  for (const line of output.split('\n')) {
    const [, flag, ref, summary = ''] = LINE.exec(line) ?? []
    if (flag === undefined || ref === undefined) continue
    answers.set(ref, flag !== '!' ? 'acknowledged' : UNSAID.test(summary) ? 'unknown' : 'refused')
  }
  return answers
}
