-- CreateTable
CREATE TABLE "engine_day" (
    "environment_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "deployment_id" UUID NOT NULL,
    "requests" BIGINT NOT NULL,
    "own" BIGINT NOT NULL,

    CONSTRAINT "engine_day_pkey" PRIMARY KEY ("environment_id","day","deployment_id")
);

-- AddForeignKey
ALTER TABLE "engine_day" ADD CONSTRAINT "engine_day_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Every writer of engine_hour keeps the days, without knowing of them.
CREATE FUNCTION engine_day_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO engine_day AS d (environment_id, day, deployment_id, requests, own)
  SELECT environment_id, date_trunc('day', hour, 'UTC'), deployment_id, SUM(requests), SUM(own) FROM added GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (environment_id, day, deployment_id) DO UPDATE SET requests = d.requests + EXCLUDED.requests, own = d.own + EXCLUDED.own;
  RETURN NULL;
END $$;

CREATE FUNCTION engine_day_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO engine_day AS d (environment_id, day, deployment_id, requests, own)
  SELECT environment_id, date_trunc('day', hour, 'UTC'), deployment_id, SUM(requests), SUM(own) FROM (
    SELECT environment_id, hour, deployment_id, requests, own FROM added
    UNION ALL SELECT environment_id, hour, deployment_id, -requests, -own FROM removed) AS delta GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (environment_id, day, deployment_id) DO UPDATE SET requests = d.requests + EXCLUDED.requests, own = d.own + EXCLUDED.own;
  RETURN NULL;
END $$;

CREATE TRIGGER engine_hour_added AFTER INSERT ON engine_hour REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION engine_day_add();
CREATE TRIGGER engine_hour_changed AFTER UPDATE ON engine_hour REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION engine_day_change();

INSERT INTO engine_day (environment_id, day, deployment_id, requests, own)
SELECT environment_id, date_trunc('day', hour, 'UTC'), deployment_id, SUM(requests), SUM(own) FROM engine_hour GROUP BY 1, 2, 3;
