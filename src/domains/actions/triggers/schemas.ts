/** Workflows on the wire. */
import { Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { Time } from '#platform/rest'

export const WorkflowPath = inRepository({ workflow_id: Type.String() })

export const DispatchQuery = Type.Object({
  return_run_details: Type.Optional(
    Type.Boolean({ description: 'whether the response should include the workflow run ID and URLs' }),
  ),
})

export const CreateActionWorkflowDispatch = Type.Object(
  {
    ref: Type.String({ minLength: 1, maxLength: 1_024 }),
    inputs: Type.Optional(
      Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: 65_535 }), {
        maxProperties: 100,
      }),
    ),
  },
  { title: 'CreateActionWorkflowDispatch' },
)

export const RunDetails = Type.Object(
  { workflow_run_id: Type.Integer(), run_url: Type.String(), html_url: Type.String() },
  { title: 'RunDetails' },
)

export const ActionWorkflow = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    path: Type.String(),
    state: Type.String({ description: 'active or disabled_manually' }),
    created_at: Time,
    updated_at: Time,
    url: Type.String(),
    html_url: Type.String(),
    badge_url: Type.String(),
    deleted_at: Type.Null(),
  },
  { title: 'ActionWorkflow' },
)

export const ActionWorkflowResponse = Type.Object(
  { workflows: Type.Array(ActionWorkflow), total_count: Type.Integer() },
  { title: 'ActionWorkflowResponse' },
)
