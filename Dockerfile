# docker build -t asset . && docker run --rm -v "$PWD:/models" asset check room.py
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++=4:* && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN python -m venv /asset && /asset/bin/pip install --no-cache-dir '/source[explore]'

# .model files are compiled when they are checked, so g++ stays.
FROM python:3.13-slim
RUN apt-get update && apt-get install -y --no-install-recommends g++=4:* && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 1000 modeller
COPY --from=build /asset /asset
ENV PATH=/asset/bin:$PATH
USER 1000
WORKDIR /models
ENTRYPOINT ["asset"]
CMD ["--help"]
