import { Hono } from "hono";
import { answer, missing, type NotionEnv, onlyQuery } from "../api-context.ts";
import type { AsyncTask, Fields, NotionWorld } from "../state.ts";
import { now } from "../store.ts";

/** What became of requests with `allow_async`. */
export function taskRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.get("/async_tasks/:task_id", (c) => {
    onlyQuery(c, []);
    const task = world.state.tasks[c.req.param("task_id")];
    if (!task || task.workspaceId !== c.get("grant").workspaceId)
      throw missing(c, "async task", c.req.param("task_id"));
    return answer(c, renderTask(world, task));
  });
  return app;
}

/** A task as its answers show it: queued until its time has come. Evidence: the recordings. */
export function renderTask(world: NotionWorld, task: AsyncTask): Fields {
  const about: Fields = {
    ...{ object: "async_task", id: task.id, status_url: `${world.url}/v1/async_tasks/${task.id}` },
    ...{ created_time: new Date(task.createdAt).toISOString() },
    operation: { surface: "rest", name: task.operation },
  };
  if (now(world) < task.doneAt) return { ...about, status: "queued", poll_after_seconds: 2 };
  return { ...about, status: "succeeded", result: task.result };
}
