/** Français. */
import type * as en from '../en/dashboard.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const dashboardWords = {
  home: 'Accueil',
  failing: 'Exécutions en échec',
  waiting: 'En attente d’autres personnes',
  recent: 'Dépôts récents',
  recentNone: 'Vous n’avez pas encore de dépôt.',
  newRepository: 'Nouveau',
  feed: 'Activité récente',
  feedNone:
    'Aucune activité pour le moment. Suivez des dépôts ou ajoutez-leur une étoile pour voir leur activité ici.',
  all: 'Tout afficher',
  issues: 'Tickets',
  pulls: 'Pull requests',
  milestones: 'Jalons',
  kinds: {
    assigned: 'Assignés à vous',
    created: 'Créés par vous',
    mentioned: 'Vous mentionnant',
    review_requested: 'Relecture demandée',
    reviewed: 'Relus ou commentés par vous',
    all: 'Tout ce que vous pouvez voir',
  },
  kind: 'Afficher',
  milestonesNone: 'Aucun de vos dépôts n’a de jalon.',
  milestonesHelp:
    'Jalons des dépôts que vous possédez ou auxquels vous contribuez, les plus récents d’abord.',
  run: (name, number) => `${name} #${number}`,
  start: 'Premiers pas',
  startNew: 'Créer un dépôt',
  startNewHelp: 'Vide, avec un README ou à partir d’un modèle.',
  startImport: 'Importer un dépôt',
  startImportHelp:
    'Depuis GitHub, GitLab, Gitea ou tout serveur git, avec tickets et pull requests si vous le souhaitez.',
  startKeys: 'Ajouter une clé SSH',
  startKeysHelp: 'Pour cloner et pousser sans mot de passe : ssh-keygen -t ed25519',
  startExplore: 'Explorer les dépôts',
  startExploreHelp: 'Suivez-en ou ajoutez-leur une étoile pour voir leur activité ici.',
} satisfies Translation<typeof en.dashboardWords>

export const viewWords = {
  title: 'Vues enregistrées',
  name: 'Nom de la vue',
  save: 'Enregistrer',
  saveThis: 'Enregistrer cette vue',
  manage: 'Toutes les vues',
  drop: (name) => `Supprimer ${name}`,
  none: 'Vous n’avez aucune vue enregistrée.',
  noneHelp: 'Filtrez une liste de tickets ou de pull requests, puis enregistrez-la comme vue.',
} satisfies Translation<typeof en.viewWords>

export const inboxWords = {
  title: 'Notifications',
  unread: 'Non lues',
  read: 'Lues',
  pinned: 'Gardées',
  empty: 'Tout est à jour.',
  emptyHelp: 'L’activité que vous suivez, à laquelle vous participez ou qui vous mentionne apparaît ici.',
  allRead: 'Tout marquer comme lu',
  repoRead: (repo) => `Marquer tout ${repo} comme lu`,
  done: 'Marquer comme lue',
  undone: 'Marquer comme non lue',
  save: 'Garder',
  types: { Issue: 'Ticket', Pull: 'Pull request', Commit: 'Commit', Repository: 'Dépôt' },
  reasons: {
    mentioned: 'Vous avez été mentionné',
    assigned: 'Assigné à vous',
    review_requested: 'Relecture demandée',
    offered: 'Transfert proposé à vous',
    author: 'Ouvert par vous',
    commented: 'Vous avez participé',
    subscribed: 'Vous êtes abonné',
    watching: 'Vous suivez le dépôt',
  },
  news: (number) => count(number, 'fil', 'fils'),
} satisfies Translation<typeof en.inboxWords>

export const findWords = {
  title: 'Rechercher',
  field: 'Trouver des dépôts, des personnes et des tickets',
  nothing: 'Aucun résultat.',
  repositories: 'Dépôt',
  people: 'Personne',
  issues: 'Ticket',
  pulls: 'Pull request',
} satisfies Translation<typeof en.findWords>
