/** Français. */
import type * as en from '../en/moderation.ts'
import type { Translation } from '../spoken.ts'

export const moderationWords = {
  title: 'Modération',
  reports: 'Signalements',
  states: { open: 'Ouverts', closed: 'Fermés' },
  noReports: 'Aucun signalement.',
  reportedBy: 'signalé par',
  by: 'par',
  dismiss: 'Rejeter',
  outcomes: { dismissed: 'Rejeté', acted: 'Mesure prise' },
  suspendNamed: (login) => `Suspendre ${login}`,
  reportTitle: 'Signaler un abus',
  reportHelp: 'Les administrateurs du site lisent votre signalement. Ils voient qui l’a envoyé.',
  about: 'Concerne',
  category: 'Catégorie',
  categories: {
    spam: 'Spam',
    malware: 'Logiciel malveillant ou hameçonnage',
    harassment: 'Harcèlement ou haine',
    illegal: 'Contenu illégal',
    other: 'Autre chose',
  },
  details: 'Quel est le problème ?',
  sendReport: 'Envoyer le signalement',
  reported: 'Merci. Votre signalement a été envoyé aux administrateurs du site.',
  quarantined: 'Dépôts en quarantaine',
  quarantinedHelp:
    'Seuls les administrateurs du site voient un dépôt en quarantaine. La raison est donnée à ses propriétaires. Les forks sont des dépôts à part.',
  noQuarantined: 'Aucun dépôt en quarantaine.',
  repository: 'Dépôt (propriétaire/nom)',
  reason: 'Raison',
  quarantine: 'Mettre le dépôt en quarantaine',
  liftQuarantine: 'Lever la quarantaine',
  suspended: 'Comptes suspendus',
  suspendedHelp:
    'Un utilisateur suspendu ne peut pas se connecter. Seuls les administrateurs du site voient un utilisateur ou une organisation suspendus, leurs dépôts et paquets, et leurs tickets, commentaires et relectures ailleurs. Les propriétaires d’une organisation suspendue voient la raison. Lever la suspension rétablit tout.',
  noSuspended: 'Aucun compte suspendu.',
  username: 'Utilisateur ou organisation',
  suspend: 'Suspendre pour abus',
  lift: 'Lever la suspension',
  appeal: 'Recours',
  badRepository: 'Saisissez le dépôt sous la forme propriétaire/nom.',
} satisfies Translation<typeof en.moderationWords>
